// SPDX-License-Identifier: BSD-3-Clause
// The file that a `body` names. It is no text: what is noted of it among the sources, and what stands for it in a result, is its body as text.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>

#include "limber/core/input_error.hpp"
#include "limber/fe/body_file.hpp"
#include "limber/model/field_rule.hpp"
#include "map_reader.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

// Variants of one arm (limber sweep) are read in many threads, and HDF5 serves one: a body that somebody still has, of a file that has not changed,
// is the same body.
class KnownBodies {
 public:
  std::shared_ptr<const ReducedBody> read(const fs::path& file) {
    const std::lock_guard<std::mutex> one_at_a_time(mutex_);
    std::error_code failed;
    const fs::file_time_type changed = fs::last_write_time(file, failed);
    const std::uintmax_t size = failed ? 0 : fs::file_size(file, failed);
    const fs::path place = failed ? file : fs::absolute(file, failed);
    Known& known = known_[place];
    if (auto body = known.body.lock(); body && known.changed == changed && known.size == size) return body;
    auto body = std::make_shared<const ReducedBody>(read_body(file));
    known = {changed, size, body};
    return body;
  }

 private:
  struct Known {
    fs::file_time_type changed = {};
    std::uintmax_t size = 0;
    std::weak_ptr<const ReducedBody> body = {};
  };
  std::mutex mutex_;
  std::map<fs::path, Known> known_;
};

std::shared_ptr<const ReducedBody> body_of(ReadContext& context, const std::string& name) {
  const fs::path file = context.directory / name;
  if (context.stored) {
    const FileContent content = context.read_named(name);
    if (!content.failure.empty()) throw InputError(Problem{"", "a reduced body", content.failure, ""});
    ReducedBody body = parse_body(content.text);
    body.source = file.string();
    return std::make_shared<const ReducedBody>(std::move(body));
  }
  static KnownBodies known;
  auto body = known.read(file);
  if (context.sources) context.sources->push_back({name, body_text(*body), file});
  return body;
}

}  // namespace

void read_body_file(ReadContext& context, const Slot& slot, std::string& file,
                    std::shared_ptr<const ReducedBody>& reduced) {
  read_value(context, slot, file);
  if (file.empty()) return;
  try {
    reduced = body_of(context, file);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems())
      context.problems.add(
          slot.node.mark,
          {slot.path, problem.path.empty() ? problem.expected : problem.path + ": " + problem.expected,
           problem.found, "looked for " + show_text((context.directory / file).string(), 500)});
  }
}

}  // namespace limber
