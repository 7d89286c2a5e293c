// SPDX-License-Identifier: BSD-3-Clause
// Formulas with parts, read as they are printed: right, defined once and before they are used, and short enough for people.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/io/model_file.hpp"
#include "limber/symbolic/equations.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Points = std::vector<double>;  // one number, or one for each point

Model arm(const std::string& name) {
  return read_model(std::string(LIMBER_MODELS_DIR) + "/" + name + ".yaml");
}

Points combined(const Points& a, const Points& b, double (*operation)(double, double)) {
  Points result(std::max(a.size(), b.size()));
  for (std::size_t k = 0; k < result.size(); ++k)
    result[k] = operation(a[a.size() == 1 ? 0 : k], b[b.size() == 1 ? 0 : k]);
  return result;
}

double plain(double x, double power) { return std::pow(x, power); }
// sin x / x, (1 - cos x) / x^2, (x - sin x) / x^3 by their series, of s = x^2
double series(int n, double s) {
  double sum = 0.0, term = 1.0 / std::tgamma(n + 1.0);
  for (int k = 0; k < 30; ++k) {
    sum += term;
    term *= -s / ((2.0 * k + n + 1.0) * (2.0 * k + n + 2.0));
  }
  return sum;
}

// The lines of a document, one after the other: + - * / ^, brackets, functions, sum(k=1..n, ...).
class Reader {
 public:
  explicit Reader(std::map<std::string, Points> values) : values_(std::move(values)) {}

  void read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const auto equals = line.find(" = ");
      if (line.empty() || line[0] == '#' || equals == std::string::npos) continue;
      const std::string name = line.substr(0, equals);
      text_ = line.substr(equals + 3);
      at_ = 0;
      ASSERT_FALSE(values_.contains(name)) << name << " is defined twice";
      const Points value = text_[0] == '[' ? list() : sum();
      ASSERT_EQ(at_, text_.size()) << line;
      values_[name] = value;
      ++count_;
    }
  }
  // Entries that are not printed are zero.
  double entry(const std::string& name) const {
    const auto there = values_.find(name);
    return there == values_.end() ? 0.0 : there->second.at(0);
  }
  int count() const { return count_; }

 private:
  bool take(const std::string& word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  Points list() {
    Points numbers;
    take("[");
    do {
      std::size_t used = 0;
      numbers.push_back(std::stod(text_.substr(at_), &used));
      at_ += used;
    } while (take(", "));
    take("]");
    return numbers;
  }
  Points sum() {
    Points value =
        take("-") ? combined({0.0}, product(), [](double a, double b) { return a - b; }) : product();
    while (true) {
      if (take(" + "))
        value = combined(value, product(), [](double a, double b) { return a + b; });
      else if (take(" - "))
        value = combined(value, product(), [](double a, double b) { return a - b; });
      else
        return value;
    }
  }
  Points product() {
    Points value = power();
    while (true) {
      if (take("*"))
        value = combined(value, power(), [](double a, double b) { return a * b; });
      else if (take("/"))
        value = combined(value, power(), [](double a, double b) { return a / b; });
      else
        return value;
    }
  }
  Points power() {
    const Points base = atom();
    if (!take("^")) return base;
    std::size_t used = 0;
    const int exponent = std::stoi(text_.substr(at_), &used);
    at_ += used;
    return combined(base, {static_cast<double>(exponent)}, plain);
  }
  Points atom() {
    if (take("(")) {
      const Points value = sum();
      EXPECT_TRUE(take(")")) << text_;
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      std::size_t used = 0;
      const double number = std::stod(text_.substr(at_), &used);
      at_ += used;
      return {number};
    }
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 ||
                                  text_[end] == '_' || text_[end] == '[' || text_[end] == ']'))
      ++end;
    const std::string name = text_.substr(at_, end - at_);
    at_ = end;
    if (take("(")) return function(name);
    const auto there = values_.find(name);
    EXPECT_TRUE(there != values_.end()) << "`" << name << "` is used before it is defined";
    if (there == values_.end()) at_ = text_.size();
    return there == values_.end() ? Points{0.0} : there->second;
  }
  Points function(const std::string& name) {
    int points = 0;
    if (name == "sum") {
      EXPECT_EQ(std::sscanf(text_.c_str() + at_, "k=1..%d,", &points), 1);
      at_ = text_.find(',', at_) + 2;
    }
    Points value = sum();
    EXPECT_TRUE(take(")")) << text_;
    if (name == "sum") {
      EXPECT_EQ(value.size(), static_cast<std::size_t>(points)) << text_;
      double all = 0.0;
      for (const double x : value) all += x;
      return {all};
    }
    for (double& x : value) {
      if (name == "sin")
        x = std::sin(x);
      else if (name == "cos")
        x = std::cos(x);
      else if (name == "sqrt")
        x = std::sqrt(x);
      else if (name == "c1" || name == "c2" || name == "c3")
        x = series(name[1] - '0', x);
      else
        ADD_FAILURE() << name;
    }
    return value;
  }

  std::map<std::string, Points> values_;
  std::string text_;
  std::size_t at_ = 0;
  int count_ = 0;
};

void expect_numbers_of_the_core(const Model& model, const std::string& only) {
  EquationsOptions options;
  options.digits = 17;
  options.form = FormulaForm::parts;
  options.only = parse_selection(only, model);
  Equations equations(model, options);
  const std::string text = equations.text();
  EXPECT_GT(equations.report().parts, 0U);
  std::mt19937 dice(11);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Workspace<double> work(model);
  const int n = model.nv();
  for (int state = 0; state < 10; ++state) {
    VectorXd q = VectorXd::NullaryExpr(n, [&] { return number(dice); });
    const VectorXd v = VectorXd::NullaryExpr(n, [&] { return number(dice); });
    for (const Link& link : model.links()) q.segment(link.elastic_q_index, link.elastic_count) *= 0.1;
    std::map<std::string, Points> values;
    for (int i = 0; i < n; ++i) {
      values["q" + std::to_string(i + 1)] = {q[i]};
      values["v" + std::to_string(i + 1)] = {v[i]};
    }
    for (const Parameter& p : equations.arm().parameters) values[p.name] = {p.value};
    Reader reader(values);
    ASSERT_NO_FATAL_FAILURE(reader.read(text));
    MatrixXd M(n, n);
    VectorXd h(n);
    mass_matrix(model, work, q, M);
    bias_forces(model, work, q, v, h);
    for (int i = 0; i < n; ++i) {
      const std::string row = std::to_string(i + 1);
      if (only.find('h') != std::string::npos) {
        ASSERT_NEAR(reader.entry("h[" + row + "]"), h[i], 1e-11 * h.cwiseAbs().maxCoeff()) << row;
      }
      for (int j = i; j < n; ++j)
        ASSERT_NEAR(reader.entry("M[" + row + "," + std::to_string(j + 1) + "]"), M(i, j), 1e-12 * M.norm())
            << row << "," << j + 1;
    }
  }
}

TEST(Parts, GiveTheNumbersOfTheNumericCore) {
  // the ladder's beam slides through a guide: its free length is defined first
  for (const char* name :
       {"crane/crane", "canadarm/canadarm_spatial", "ella/ella", "fire_ladder/fire_ladder"}) {
    SCOPED_TRACE(name);
    expect_numbers_of_the_core(arm(name), "M");
  }
  expect_numbers_of_the_core(arm("canadarm/canadarm"),
                             "M,h");  // the plane: parts although it could be written out
}

// Sections are summed over points: written once, not point by point.
TEST(Parts, HaveSumsOverThePointsOfABeam) {
  EquationsOptions options;
  options.form = FormulaForm::shorter;
  const Model crane = arm("crane/crane");
  options.only = parse_selection("M", crane);
  Equations equations(crane, options);
  const std::string text = equations.text();
  EXPECT_NE(text.find("sum(k=1..16, "), std::string::npos);
  EXPECT_NE(text.find("f1[k] = ["), std::string::npos);
  EXPECT_LT(equations.report().simplified, 3000);  // 12,646 point by point
  EXPECT_LT(equations.report().parts, 700U);       // 1,891
}

// How much room a document takes. TeX decides: 3.50 pages of the crane's, 2.03 of the Canadarm's. Where there is none, signs that are set tell it to a tenth.
double pages_by_signs(const std::string& latex) {
  double signs = 0.0;
  int depth = 0;  // of indices, which are smaller
  bool in_table = false;
  for (std::size_t i = latex.find("\\begin{document}"); i < latex.size(); ++i) {
    const char c = latex[i];
    if (c == '\\') {
      const bool table = latex.compare(i, 15, "\\begin{tabular}") == 0;
      if (table) in_table = true;
      if (latex.compare(i, 13, "\\end{tabular}") == 0) in_table = false;
      std::size_t end = i + 1;
      while (end < latex.size() && std::isalpha(static_cast<unsigned char>(latex[end])) != 0) ++end;
      if (end == i + 1) ++end;
      signs += latex[i + 1] == ',' ? 0.35 : 1.0;
      i = end - 1;
    } else if (c == '_' || c == '^') {
      if (i + 1 < latex.size() && latex[i + 1] == '{') ++depth, ++i;
    } else if (c == '}') {
      depth = std::max(0, depth - 1);
    } else if (c == '{' || c == '$' || c == '\n') {
      continue;
    } else {
      signs += (depth > 0 ? 0.7 : 1.0) * (in_table ? 0.75 : 1.0) * (c == ' ' ? 0.4 : 1.0) *
               (c == '+' || c == '=' ? 2.0 : 1.0);
    }
  }
  constexpr double signs_of_a_page = 6150.0;
  return signs / signs_of_a_page;
}

TEST(Parts, FitOnAFewPages) {
  const TemporaryFolder folder;
  for (const auto& [name, most] : {std::pair{"crane/crane", 4}, std::pair{"canadarm/canadarm_spatial", 3}}) {
    SCOPED_TRACE(name);
    const Model model = arm(name);
    EquationsOptions options;
    options.form = FormulaForm::shorter;
    options.only = parse_selection("M", model);
    const std::string latex = Equations(model, options).latex();
    std::printf("%s: %.2f pages by signs\n", name, pages_by_signs(latex));
    EXPECT_LT(pages_by_signs(latex), most);
    if (std::system("command -v pdflatex > /dev/null 2>&1") != 0) continue;
    std::ofstream(folder.path() / "arm.tex") << latex;
    ASSERT_EQ(
        std::system(("cd " + folder.path().string() + " && pdflatex -halt-on-error arm.tex > said").c_str()),
        0);
    std::ifstream said(folder.path() / "said");
    const std::string words{std::istreambuf_iterator<char>(said), {}};
    const auto at = words.find("Output written on arm.pdf (");
    ASSERT_NE(at, std::string::npos);
    EXPECT_LE(std::atoi(words.c_str() + at + 27), most);
    EXPECT_EQ(words.find("Overfull"), std::string::npos);
  }
}

}  // namespace
}  // namespace limber
