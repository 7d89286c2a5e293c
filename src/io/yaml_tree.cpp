// SPDX-License-Identifier: BSD-3-Clause
#include "yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "limber/model/field_rule.hpp"
#include "text_file.hpp"

namespace limber {
namespace {

constexpr std::size_t most_nodes = 200'000;
constexpr std::size_t deepest_nesting = 64;

[[noreturn]] void refuse(const std::string& file, Mark mark, Problem problem) {
  throw FileError({{std::move(problem), file, mark}});
}

/// yaml-cpp's complaints that users meet, in plain words: what stands there, and what to do.
struct SyntaxSlip {
  const char* message;
  const char* found;
  const char* hint;
};

const SyntaxSlip common_slips[] = {
    {YAML::ErrorMsg::END_OF_MAP, "a line that does not fit",
     "check its indentation and the `:` after its key"},
    {YAML::ErrorMsg::END_OF_SEQ_FLOW, "`[` without its `]`",
     "close the bracket, and put commas between values"},
    {YAML::ErrorMsg::END_OF_MAP_FLOW, "`{` without its `}`",
     "close the bracket, and put commas between keys"},
    {YAML::ErrorMsg::END_OF_SEQ, "a line that does not fit", "check its indentation and the `-` before it"},
    {YAML::ErrorMsg::FLOW_END, "a closing bracket too many", "remove it, or open it before"},
    {YAML::ErrorMsg::MAP_VALUE, "a `:` that does not fit",
     "check the indentation and the blank after every `:`; quote texts that hold `: `"},
    {YAML::ErrorMsg::MAP_KEY, "a key that does not fit", "check its indentation"},
    {YAML::ErrorMsg::BLOCK_ENTRY, "a `-` that does not fit",
     "indent with spaces, not tabs; in brackets use commas"},
    {YAML::ErrorMsg::EOF_IN_SCALAR, "a text without its closing quote", "close the quote"},
    {YAML::ErrorMsg::INVALID_ESCAPE, "an unknown escape",
     "`\\` is special in double quotes: use single ones"},
    {YAML::ErrorMsg::UNKNOWN_TOKEN, "a character that starts nothing",
     "indent with spaces; quote texts with @, ` or %"},
    {YAML::ErrorMsg::TAB_IN_INDENTATION, "a tab", "indent with spaces"},
    {YAML::ErrorMsg::UNKNOWN_ANCHOR, "an alias without its anchor", "define it with & before it is used"},
};

[[noreturn]] void refuse_syntax(const std::string& file, Mark mark, const std::string& message) {
  for (const SyntaxSlip& slip : common_slips) {
    if (message.starts_with(slip.message)) refuse(file, mark, {"", "valid YAML", slip.found, slip.hint});
  }
  refuse(file, mark, {"", "valid YAML", "a syntax error", message});
}

/// Where the text's first character that is no blank and in no comment stands, if there is one.
std::optional<std::size_t> find_content(const std::string& text) {
  std::size_t place = text.find_first_not_of(" \t\r\n");
  while (place != std::string::npos && text[place] == '#') {
    const std::size_t end = text.find('\n', place);
    place = end == std::string::npos ? end : text.find_first_not_of(" \t\r\n", end);
  }
  if (place == std::string::npos) return std::nullopt;
  return place;
}

/// XML is read as one long text, or fails somewhere: better said at once.
void refuse_xml(const std::string& text, const std::string& file) {
  const auto content = find_content(text);
  if (!content || text[*content] != '<') return;
  const std::string_view before = std::string_view(text).substr(0, *content);
  const auto line_breaks = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 where there is none
  const Mark mark{static_cast<int>(line_breaks) + 1, static_cast<int>(*content - line_start) + 1};
  if (text.find("<robot") == std::string::npos)
    refuse(file, mark, {"", "a file in YAML", "XML", "models and scenarios are YAML: docs/model-file.md"});
  refuse(file, mark,
         {"", "a file in YAML", "a URDF (XML)",
          "a URDF is read as a model where nothing stands before its first `<`; a model file names one by "
          "`urdf: FILE`: "
          "docs/urdf.md"});
}

/// Turns yaml-cpp's places (lines and bytes from 0) into ours (lines and characters from 1).
class MarkConverter {
 public:
  explicit MarkConverter(const std::string& text) {
    std::istringstream stream(text);
    int number = 0;
    for (std::string line; std::getline(stream, line); ++number) {
      const bool is_plain = std::none_of(line.begin(), line.end(), continues_character);
      if (!is_plain && line.size() <= longest_counted) lines_.emplace(number, line);
    }
  }

  Mark operator()(const YAML::Mark& mark) const {
    const int bytes = std::max(mark.column, 0);
    return {std::max(mark.line, 0) + 1, bytes - continuations_before(mark.line, bytes) + 1};
  }

 private:
  int continuations_before(int number, int bytes) const {
    const auto line = lines_.find(number);
    if (line == lines_.end()) return 0;
    const std::string_view before = std::string_view(line->second).substr(0, static_cast<std::size_t>(bytes));
    return static_cast<int>(std::count_if(before.begin(), before.end(), continues_character));
  }

  static constexpr std::size_t longest_counted = 1000;  // beyond it columns count bytes: time stays bounded
  std::map<int, std::string> lines_;                    // those that hold more than ASCII
};

YamlNode make_node(YamlNode::Kind kind, Mark mark) {
  YamlNode node;
  node.kind = kind;
  node.mark = mark;
  return node;
}

/// Number of nodes in a tree and its depth.
struct Extent {
  std::size_t nodes = 1;
  std::size_t depth = 1;

  void include(const Extent& child) {
    nodes += child.nodes;
    depth = std::max(depth, child.depth + 1);
  }
};

Extent extent_of(const YamlNode& node) {
  Extent extent;
  for (const YamlNode& item : node.items) extent.include(extent_of(item));
  for (const YamlEntry& entry : node.entries) extent.include(extent_of(entry.value));
  return extent;
}

/// Builds the tree from yaml-cpp's events.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, const std::string& file) : text_(text), file_(file), convert_(text) {}

  bool has_document() const { return has_document_; }
  YamlTree take() { return std::move(tree_); }
  Mark convert(const YAML::Mark& mark) const { return convert_(mark); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (has_document_) {
      refuse(
          file_, convert_(mark),
          {"", "a single YAML document", "another one", "check indentation and brackets, and remove `---`"});
    }
    has_document_ = true;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(make_node(YamlNode::Kind::null, convert_(mark)), anchor, true);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(tag, mark);
    if (tag == "!") check_closing_quote(mark);
    YamlNode node = make_node(YamlNode::Kind::scalar, convert_(mark));
    node.text = value;
    node.quoted = tag == "!";
    add(std::move(node), anchor, false);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto target = anchors_.find(anchor);
    if (target == anchors_.end()) {
      refuse(file_, convert_(mark),
             {next_path(), "an alias to an earlier part", "one to the part it stands in", ""});
    }
    const Extent extent = extent_of(target->second);
    count(extent.nodes, convert_(mark));
    check_depth(extent.depth - 1, convert_(mark));
    add(target->second, YAML::NullAnchor, false);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(YamlNode::Kind::sequence, mark, tag, anchor, style);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(YamlNode::Kind::map, mark, tag, anchor, style);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A sequence or map whose end has not come yet.
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor;
    bool is_block;
    std::optional<YamlEntry> pending;  // of a map: a key that waits for its value
    std::map<std::string, int> lines;  // of a map: where each key stands
  };

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    check_tag(tag, mark);
    check_depth(1, convert_(mark));
    if (!stack_.empty() && stack_.back().node.is_map() && !stack_.back().pending) refuse_key(convert_(mark));
    stack_.push_back({make_node(kind, convert_(mark)), anchor, style == YAML::EmitterStyle::Block, {}, {}});
  }

  void close() {
    Open done = std::move(stack_.back());
    stack_.pop_back();
    add(std::move(done.node), done.anchor, done.is_block);
  }

  /// Puts a finished node where it belongs. `begins_later`: its text does not stand beside its key.
  void add(YamlNode node, YAML::anchor_t anchor, bool begins_later) {
    count(1, node.mark);
    Open* const parent = stack_.empty() ? nullptr : &stack_.back();
    const bool is_key = parent && parent->node.is_map() && !parent->pending;
    if (parent && parent->pending && begins_later) node.mark = parent->pending->key_mark;
    if (anchor != YAML::NullAnchor) keep(anchor, node);
    if (!parent) {
      tree_.root = std::move(node);
    } else if (parent->node.is_sequence()) {
      parent->node.items.push_back(std::move(node));
    } else if (is_key) {
      begin_entry(*parent, std::move(node));
    } else {
      end_entry(*parent, std::move(node));
    }
  }

  void keep(YAML::anchor_t anchor, const YamlNode& node) {
    count(extent_of(node).nodes, node.mark);
    anchors_[anchor] = node;
  }

  void begin_entry(Open& map, YamlNode key) {
    if (!key.is_scalar()) refuse_key(key.mark);
    map.pending = YamlEntry{std::move(key.text), key.mark, {}};
  }

  void end_entry(Open& map, YamlNode value) {
    const std::string path = next_path();
    YamlEntry entry = std::move(*map.pending);
    map.pending.reset();
    entry.value = std::move(value);
    const auto [first, is_new] = map.lines.emplace(entry.key, entry.key_mark.line);
    if (entry.key == "<<") {
      map.node.is_incomplete = true;
      report(entry.key_mark,
             {path, "the keys themselves", "the merge key `<<`", "repeat the keys of that block here"});
    } else if (is_new) {
      map.node.entries.push_back(std::move(entry));
    } else {
      report(entry.key_mark, {path, "every key once", show_text(entry.key) + " again",
                              fmt::format("first on line {}", first->second)});
    }
  }

  /// The path of the node that comes next.
  std::string next_path() const {
    std::string path;
    for (const Open& open : stack_) {
      if (open.node.is_sequence()) {
        path = join_path(path, fmt::format("[{}]", open.node.items.size()));
      } else if (open.pending) {
        path = join_path(path, path_step(open.pending->key));
      }
    }
    return path;
  }

  void check_tag(const std::string& tag, const YAML::Mark& mark) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    constexpr std::string_view standard = "tag:yaml.org,2002:";
    const std::string shown = tag.starts_with(standard) ? "!!" + tag.substr(standard.size()) : tag;
    report(convert_(mark),
           {next_path(), "a value without a tag", "the tag " + show_text(shown), "remove it"});
  }

  /// yaml-cpp accepts a text whose closing quote is missing, up to the end of the file.
  void check_closing_quote(const YAML::Mark& mark) const {
    auto at = static_cast<std::size_t>(mark.pos);
    if (at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return;
    const char quote = text_[at];
    while (++at < text_.size() && text_[at] != quote) {
      if (text_[at] == '\\' && quote == '"') ++at;
    }
    if (at >= text_.size()) refuse_syntax(file_, convert_(mark), YAML::ErrorMsg::EOF_IN_SCALAR);
  }

  void count(std::size_t nodes, Mark mark) {
    nodes_ += nodes;
    if (nodes_ <= most_nodes) return;
    refuse(file_, mark,
           {"", fmt::format("at most {} values", most_nodes), "more",
            anchors_.empty() ? "" : "anchors and aliases multiply what they repeat"});
  }

  void check_depth(std::size_t more, Mark mark) const {
    if (stack_.size() + more <= deepest_nesting) return;
    refuse(file_, mark, {"", fmt::format("at most {} levels of nesting", deepest_nesting), "more", ""});
  }

  [[noreturn]] void refuse_key(Mark mark) const {
    refuse(file_, mark,
           {next_path(), "a word before `:`", "something else", "check brackets, quotes and indentation"});
  }

  void report(Mark mark, Problem problem) { tree_.problems.push_back({std::move(problem), file_, mark}); }

  const std::string& text_;
  std::string file_;
  MarkConverter convert_;
  YamlTree tree_;
  bool has_document_ = false;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::size_t nodes_ = 0;
};

}  // namespace

namespace {

YamlTree read_yaml(const std::string& text, const std::string& file_name) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) return read_yaml(text.substr(byte_order_mark.size()), file_name);
  if (const auto foreign = find_foreign_byte(text)) {
    refuse(file_name, foreign->mark, {"", "text in UTF-8", foreign->words, "is this a text file?"});
  }
  refuse_xml(text, file_name);
  TreeBuilder builder(text, file_name);
  std::istringstream stream(text);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    refuse_syntax(file_name, builder.convert(error.mark), error.msg);
  }
  if (!builder.has_document()) refuse(file_name, {1, 1}, {"", "keys and values", "an empty file", ""});
  return builder.take();
}

// Trees of the last texts. A variant of a sweep, or a point of a search, is one and the same text with other settings: to copy its tree takes a hundredth of
// the time of yaml-cpp.
class LastTrees {
 public:
  std::shared_ptr<const YamlTree> find(const std::string& text, const std::string& file_name) {
    const std::lock_guard lock(guard_);
    for (auto one = trees_.begin(); one != trees_.end(); ++one)
      if (one->text == text && one->file_name == file_name) {
        trees_.splice(trees_.begin(), trees_, one);
        return one->tree;
      }
    return nullptr;
  }
  void keep(const std::string& text, const std::string& file_name, std::shared_ptr<const YamlTree> tree) {
    const std::lock_guard lock(guard_);
    trees_.push_front({text, file_name, std::move(tree)});
    if (trees_.size() > most_) trees_.pop_back();
  }

 private:
  struct Known {
    std::string text, file_name;
    std::shared_ptr<const YamlTree> tree;
  };
  static constexpr std::size_t most_ = 4;
  std::mutex guard_;
  std::list<Known> trees_;  ///< the last used first
};

}  // namespace

YamlTree parse_yaml(const std::string& text, const std::string& file_name) {
  constexpr std::size_t longest_kept = 100'000;
  if (text.size() > longest_kept) return read_yaml(text, file_name);
  static LastTrees trees;
  if (const auto known = trees.find(text, file_name)) return *known;
  auto tree = std::make_shared<const YamlTree>(read_yaml(text, file_name));
  trees.keep(text, file_name, tree);
  return *tree;
}

}  // namespace limber
