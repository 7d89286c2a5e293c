// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>

#include "limber/model/field_rule.hpp"
#include "outline.hpp"

namespace limber::urdf {
namespace {

using ByNameIndex = std::map<std::string, std::size_t>;

/// The first element of every name; those that repeat one are problems.
ByNameIndex index_of(const std::vector<Element>& elements, const char* kind, ProblemList& problems) {
  ByNameIndex index;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Element& element = elements[i];
    if (element.name.empty()) {
      problems.add(element.mark, {kind, "the attribute `name`", "none", ""});
      continue;
    }
    const auto [first, is_new] = index.emplace(element.name, i);
    if (!is_new)
      problems.add(element.mark,
                   {std::string(kind) + "." + path_word(element.name),
                    std::string("a name that no other ") + kind + " has", show_text(element.name),
                    "the first stands in line " + std::to_string(elements[first->second].mark.line)});
  }
  return index;
}

std::vector<std::string> names_of(const std::vector<Element>& elements) {
  std::vector<std::string> names;
  for (const Element& element : elements) names.push_back(element.name);
  return names;
}

class JointChecker {
 public:
  JointChecker(const Outline& outline, const ByNameIndex& links, ProblemList& problems)
      : outline_(outline), links_(links), problems_(problems) {}

  void check(const Element& joint) {
    const std::string path = "joint." + path_word(joint.name);
    check_type(joint, path);
    check_end(joint, path, "parent", joint.parent, joint.parent_mark);
    check_end(joint, path, "child", joint.child, joint.child_mark);
    if (joint.mimics)
      problems_.add(joint.mimic_mark, {path + ".mimic", "joints that move by themselves", "`mimic`",
                                       "joints that follow another one are not supported: make this one "
                                       "`fixed`, or remove `mimic` and let it "
                                       "move by itself"});
  }

 private:
  void check_type(const Element& joint, const std::string& path) {
    static const std::vector<std::string> known = {"revolute", "continuous", "prismatic", "fixed",
                                                   "floating"};
    if (std::find(known.begin(), known.end(), joint.type) != known.end()) return;
    const std::string hint =
        joint.type == "planar"
            ? "in place of it: two prismatic joints and a revolute one, with massless links between them"
            : suggestion(joint.type, known, "types");
    problems_.add(joint.mark, {path + ".type", expected_choice(known),
                               joint.type.empty() ? std::string("none") : show_text(joint.type), hint});
  }

  void check_end(const Element& joint, const std::string& path, const std::string& end,
                 const std::string& name, Mark mark) {
    if (name.empty())
      problems_.add(joint.mark, {path, "an element <" + end + " link=\"...\"/>", "none", ""});
    else if (!links_.contains(name))
      problems_.add(mark, {path + "." + end, "the name of a link", show_text(name),
                           suggestion(name, names_of(outline_.links), "links")});
  }

  const Outline& outline_;
  const ByNameIndex& links_;
  ProblemList& problems_;
};

/// Every link but one is the child of exactly one joint, and all of them hang on that one.
void check_one_tree(const Outline& outline, ProblemList& problems) {
  std::map<std::string, const Element*> carrier;  // the joint that carries a link
  bool is_good = true;
  for (const Element& joint : outline.joints) {
    const auto [first, is_new] = carrier.emplace(joint.child, &joint);
    if (is_new) continue;
    is_good = false;
    problems.add(joint.child_mark,
                 {"joint." + path_word(joint.name) + ".child", "a link that no other joint carries",
                  show_text(joint.child) + ", which `" + first->second->name + "` carries (line " +
                      std::to_string(first->second->mark.line) + ")",
                  "closed loops are not supported: every link has one parent"});
  }
  // Who follows the parents comes to a root, or around.
  std::set<std::string> looked_at;
  for (const Element& link : outline.links) {
    std::vector<std::string> walk;
    std::string at = link.name;
    while (carrier.contains(at) && !looked_at.contains(at)) {
      looked_at.insert(at);
      walk.push_back(at);
      at = carrier[at]->parent;
    }
    const auto start = std::find(walk.begin(), walk.end(), at);
    if (start == walk.end()) continue;
    is_good = false;
    std::string circle;
    for (auto step = start; step != walk.end(); ++step) circle += *step + " -> ";
    problems.add(carrier[at]->mark,
                 {"joint." + path_word(carrier[at]->name), "a tree of links",
                  "links that carry each other: " + circle + at, "remove one of these joints"});
  }
  if (!is_good) return;
  const Element* root = nullptr;
  for (const Element& link : outline.links) {
    if (carrier.contains(link.name)) continue;
    if (root)
      problems.add(link.mark, {"link." + path_word(link.name), "one root: a link that no joint carries",
                               "a second one, beside `" + root->name + "` (line " +
                                   std::to_string(root->mark.line) + ")",
                               "join them by a joint of type fixed"});
    else
      root = &link;
  }
}

}  // namespace

std::string path_word(const std::string& name) {
  return obeys(TextRule::name, name) ? name : show_text(name);
}

void check_outline(const Outline& outline, ProblemList& problems) {
  const ByNameIndex links = index_of(outline.links, "link", problems);
  index_of(outline.joints, "joint", problems);
  JointChecker checker(outline, links, problems);
  for (const Element& joint : outline.joints) checker.check(joint);
  if (outline.links.empty()) problems.add({1, 1}, {"", "at least one link", "none", ""});
  if (problems.empty()) check_one_tree(outline, problems);
}

}  // namespace limber::urdf
