// SPDX-License-Identifier: BSD-3-Clause
// limber sweep STUDY: many variants of a model or a scenario.

#include "limber/study/sweep.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "command.hpp"
#include "limber/core/input_error.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/io/study_choices.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/results/result_file.hpp"
#include "limber/simulation/simulate.hpp"
#include "mpi_messenger.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "study_commands.hpp"
#include "sweep_summary.hpp"
#include "table.hpp"
#include "version.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct SweepCommand {
  std::string study, output, csv, part;
  int threads = 0;
  std::optional<long> replay;
  std::optional<int> slurm;
  bool resume = false, force = false, merge = false;
};

constexpr long most_parts = 1000000;
const std::string program_name = std::string("limber ") + version;

// ---- progress ----

std::string as_time(double seconds) {
  constexpr long minute = 60, hour = 60 * minute;
  const auto whole = static_cast<long>(seconds);
  if (whole < 2 * minute) return fmt::format("{:.0f} s", seconds);
  return whole < 2 * hour ? fmt::format("{}:{:02} min", whole / minute, whole % minute)
                          : fmt::format("{}:{:02} h", whole / hour, whole / minute % minute);
}

/// A line that stays in place on a terminal, and one every few seconds in a log.
class SweepDisplay {
 public:
  explicit SweepDisplay(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}
  ~SweepDisplay() { clear(); }
  SweepDisplay(const SweepDisplay&) = delete;
  SweepDisplay& operator=(const SweepDisplay&) = delete;

  void show(const SweepProgress& progress) {
    constexpr double on_terminal_s = 0.1, in_file_s = 5.0;
    const auto now = std::chrono::steady_clock::now();
    if (quiet_ ||
        std::chrono::duration<double>(now - last_).count() < (terminal_ ? on_terminal_s : in_file_s))
      return;
    last_ = now;
    const std::string words =
        progress.total == 0  // a search does not know when it will have found
            ? fmt::format("search: {} variants, {} failed, {:.3g}/s", progress.done, progress.failed,
                          progress.rate())
            : fmt::format("sweep: {:3.0f} %, {} of {} variants, {} failed, {:.3g}/s, {} left",
                          100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total),
                          progress.done, progress.total, progress.failed, progress.rate(),
                          as_time(progress.left_s()));
    print_error_text(terminal_ ? "\r\033[K" + words : words + "\n");
    is_shown_ = terminal_;
  }
  void clear() {
    if (is_shown_) print_error_text("\r\033[K");
    is_shown_ = false;
  }

 private:
  bool quiet_, terminal_, is_shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// ---- the ways to run ----

SweepPart part_of(const std::string& text) {
  if (text.empty()) return {};
  long number = 0, count = 0;
  const std::size_t slash = text.find('/');
  const char* const end = text.data() + text.size();
  const char* const middle = text.data() + std::min(slash, text.size());
  const bool is_good = slash != std::string::npos &&
                       std::from_chars(text.data(), middle, number).ptr == middle &&
                       std::from_chars(middle + 1, end, count).ptr == end && number >= 1 && number <= count &&
                       count <= most_parts;
  if (!is_good)
    throw InputError(
        Problem{"--part", fmt::format("I/N, the I-th of N parts, such as 3/16, and N at most {}", most_parts),
                show_text(text), ""});
  return {number - 1, count};
}

/// study.h5, part 3 of 16: study.3-of-16.h5
std::string part_name(const std::string& output, const SweepPart& part) {
  if (part.count == 1) return output;
  fs::path file = output;
  file.replace_filename(fmt::format("{}.{}-of-{}{}", file.stem().string(), part.index + 1, part.count,
                                    file.extension().string()));
  return file.string();
}

Output result_file(const std::string& output) {
  return {"-o", output, {".h5", ".hdf5"}, "--force replaces it, --resume continues it"};
}

std::string base_output(const SweepCommand& options) {
  return output_name(options.output, options.study, ".h5");
}

void finish(const StudyResult& result, const std::string& output, const SweepCommand& options,
            const Common& common) {
  if (!options.csv.empty()) write_study_csv(options.csv, result);
  if (common.json) return print_json(sweep_json(result, output));
  print_sweep(result);
  fmt::print("  result      {}\n", output);
  if (!options.csv.empty()) fmt::print("  table       {}\n", options.csv);
}

void check_csv(const SweepCommand& options, const InputFiles& inputs, const std::string& output) {
  if (options.csv.empty()) return;
  const Output table{"--csv", options.csv, {".csv"}};
  require_two_files(table, result_file(output));
  check_output(table, inputs, options.force);
}

/// The study as a command has it, with what was set besides.
std::string study_words(const SweepCommand& options, const Common& common, const std::string& output) {
  return shell_word(options.study) + command_words(settings(common)) + " -o " + shell_word(output);
}

void run_study(const Study& study, const SweepCommand& options, const Common& common, MpiMessenger* ranks) {
  const SweepPart part = part_of(options.part);
  const std::string output = part_name(base_output(options), part);
  InputFiles inputs = study.files();
  refuse_wrong_place(result_file(output), inputs);
  check_csv(options, inputs, output);
  ResultLock lock(output);
  std::error_code ignored;
  StudyResult begun = study.empty_result(program_name);
  const bool is_continued = options.resume && fs::exists(output, ignored);
  if (is_continued) {
    StudyResult stored = read_study_result(output);
    require_same_study(stored, begun.sources, output);
    if (!study.description().is_search()) require_same_points(stored, study.design(), output);
    begun = std::move(stored);
  } else {
    refuse_existing(result_file(output), options.force);
    fs::remove(output + ".part", ignored);  // of one that is being replaced
    if (options.resume && !common.quiet) print_error_text("no " + output + " to continue: starting anew\n");
  }
  warn(common, study.doubts());

  SweepDisplay display(common.quiet);
  const Interruption interruption;
  SweepOptions how;
  how.threads = options.threads > 0 || !ranks ? options.threads : 1;  // of each rank
  how.part = part;
  how.progress = [&](const SweepProgress& progress) {
    display.show(progress);
    return !Interruption::is_asked_for();
  };
  std::optional<MessengerWorkers> others;
  if (ranks) how.remote = &others.emplace(*ranks, study);
  const SweepSummary done = sweep(study, std::move(lock), std::move(begun), how);
  display.clear();
  if (!common.json)
    fmt::print("{}  {} variants by {}: {} in {:.3g} s, {:.3g}/s on {} thread{}{}\n\n",
               styled(Style::bold, options.study), done.result.values.rows(), done.result.method,
               done.progress.computed, done.progress.wall_s, done.progress.rate(), done.threads,
               done.threads == 1 ? "" : "s", ranks ? fmt::format(" of each of {} ranks", ranks->size()) : "");
  finish(done.result, output, options, common);
  if (done.finished) return;
  if (!common.quiet)
    print_error_text(fmt::format("interrupted after {}{} variants; `limber sweep {}{} --resume` goes on\n",
                                 done.progress.done,
                                 done.progress.total > 0 ? fmt::format(" of {}", done.progress.total) : "",
                                 study_words(options, common, base_output(options)),
                                 options.part.empty() ? "" : " --part " + options.part));
  throw Interrupted();
}

// One of the ranks that keep nothing.
void help(const SweepCommand& options, const Common& common, MpiMessenger& ranks) {
  std::optional<Study> study;
  try {
    study.emplace(open_study(options.study, settings(common)));
  } catch (const InputError&) {
    constexpr std::chrono::seconds until_rank_0_has_spoken(2);
    std::this_thread::sleep_for(until_rank_0_has_spoken);
    throw Reported{exit_input_error};
  }
  const Interruption interruption;
  work_for_rank_0(*study, ranks, std::max(1, options.threads));
}

// Each step of a search needs the one before.
void refuse_search(const Study& study, const char* option, const char* hint) {
  if (study.description().is_search())
    throw InputError(Problem{option, "a study with `vary`", "one with `optimise`", hint});
}

// All study.I-of-N.h5 beside study.h5.
void merge(const Study& study, const SweepCommand& options, const Common& common) {
  refuse_search(study, "--merge", "a search has no parts");
  const std::string output = base_output(options);
  const fs::path folder =
      fs::path(output).parent_path().empty() ? fs::path(".") : fs::path(output).parent_path();
  const std::string stem = fs::path(output).stem().string() + ".",
                    ending = fs::path(output).extension().string();
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(stem) && name.ends_with(ending) &&
        name.find("-of-", stem.size()) != std::string::npos)
      names.push_back((folder / name).string());
  }
  std::sort(names.begin(), names.end());
  if (names.empty())
    throw InputError(Problem{"--merge", fmt::format("parts beside {}: {}1-of-N{} ...", output, stem, ending),
                             "none", "`--part I/N` computes one"});
  check_output(result_file(output), study.files(), options.force);
  check_csv(options, study.files(), output);
  std::vector<std::pair<std::string, StudyResult>> parts;
  for (const std::string& name : names) parts.emplace_back(name, read_study_result(name));
  const StudyResult result = merged(study, parts, program_name);
  write_study_result(output, result);
  if (const long waiting = result.waiting(); waiting > 0)
    warn(
        common,
        fmt::format("{} of {} variants are in none of the {} parts; `limber sweep {} --resume` computes them",
                    waiting, study.size(), parts.size(), study_words(options, common, output)));
  finish(result, output, options, common);
}

void write_slurm_script(const Study& study, const SweepCommand& options, const Common& common) {
  const std::string output = base_output(options),
                    script = fs::path(output).replace_extension(".slurm").string();
  refuse_search(study, "--slurm", "a search has no parts: it runs on the threads of one node");
  const int parts = *options.slurm;
  check_output({"--slurm", script, {".slurm"}}, study.files(), options.force);
  const std::string words = study_words(options, common, output), script_word = shell_word(script);
  const std::string text = fmt::format(
      "#!/bin/sh\n"
      "# limber sweep as a job array of {0} parts. In this folder: sbatch {1}\n"
      "# When all parts are done: limber sweep {2} --merge\n"
      "#SBATCH --job-name=limber-sweep\n"
      "#SBATCH --array=1-{0}\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task=1\n"
      "#SBATCH --requeue\n"
      "exec \"${{LIMBER:-limber}}\" sweep {2} --part \"$SLURM_ARRAY_TASK_ID/{0}\" --threads "
      "\"${{SLURM_CPUS_PER_TASK:-1}}\" --resume --quiet\n",
      parts, script_word, words);
  write_whole_file(script, text);
  if (common.json) return print_json({{"script", script}, {"parts", parts}, {"variants", study.size()}});
  fmt::print("{}: {} parts of about {} variants. sbatch {}, then `limber sweep {} --merge`\n", script, parts,
             (study.size() + parts - 1) / parts, script_word, words);
}

// One variant by itself: its numbers, and of a run its whole result.
void replay(const Study& study, const SweepCommand& options, const Common& common) {
  refuse_search(study, "--replay", "`limber report` shows the command of each of its variants");
  const long variant = *options.replay;
  if (variant < 0 || variant >= study.size())
    throw InputError(Problem{"--replay", fmt::format("a variant from 0 to {}", study.size() - 1),
                             std::to_string(variant), ""});
  const Interruption interruption;
  const StudyResult names = study.empty_result(program_name);
  Json document = {{"variant", variant},
                   {"parameters", parameters_json(names, variant)},
                   {"command", study.command_of(variant)}};
  std::string output;
  if (study.description().task == StudyTask::simulate) {
    output = options.output.empty()
                 ? fmt::format("{}.{}.h5", fs::path(options.study).stem().string(), variant)
                 : options.output;
    check_output({"-o", output, {".h5", ".hdf5"}}, study.files(), options.force);
    const ScenarioFile file = study.scenario_of(variant);
    Scenario scenario = build_observed_scenario(file.description, file.model);
    ResultWriter writer(ResultLock(output), scenario, {program_name, file.sources});
    RunOptions how;
    Checkpoint reached;
    how.last_good = &reached;
    how.progress = [](const Progress&) { return !Interruption::is_asked_for(); };
    try {
      const RunSummary run = simulate(scenario, &writer, how);
      if (!run.finished) throw Interrupted();
      writer.finish(run.last, "complete");
    } catch (const std::exception& error) {
      if (reached.rows > 0) writer.finish(reached, std::string("failed: ") + error.what());
    }
    document["result"] = output;
  }
  const VariantOutcome outcome = study.evaluate(variant);
  if (outcome.has_failed()) document["failure"] = outcome.failure;
  Json measures = Json::object();
  for (std::size_t m = 0; m < names.measures.size() && !outcome.has_failed(); ++m)
    measures[names.measures[m]] = outcome.numbers[m];
  document["measures"] = measures;
  if (common.json) return print_json(document);
  fmt::print("variant {} of {}\n\n", variant, options.study);
  for (const auto& item : document["parameters"].items())
    fmt::print("  {} = {}\n", item.key(), item.value().get<double>());
  fmt::print("\n");
  for (const auto& item : measures.items())
    fmt::print("  {}: {}\n", item.key(), number(item.value().get<double>()));
  if (outcome.has_failed()) fmt::print("  {}\n", styled(Style::bad, "failed: " + outcome.failure));
  fmt::print("\n  the same by itself: {}\n", study.command_of(variant));
  if (!output.empty()) fmt::print("  result      {}: `limber report {}` shows it\n", output, output);
}

// What one of them asks for the others would leave out without a word.
void require_one_way(const SweepCommand& options) {
  std::vector<std::string> ways;
  if (options.replay) ways.emplace_back("--replay");
  if (options.slurm) ways.emplace_back("--slurm");
  if (options.merge) ways.emplace_back("--merge");
  if (!options.part.empty()) ways.emplace_back("--part");
  if (ways.size() > 1)
    throw InputError(Problem{ways[0], "one of `--replay`, `--slurm`, `--merge` and `--part`",
                             "`" + ways[0] + "` and `" + ways[1] + "`", ""});
  if (!options.csv.empty() && (options.replay || options.slurm))
    throw InputError(Problem{"--csv", "a sweep or `--merge`, which have a table", "`" + ways[0] + "`", ""});
}

}  // namespace

void add_sweep(CLI::App& app, Common& common) {
  auto options = std::make_shared<SweepCommand>();
  CLI::App* command = add_command(
      app, common, "sweep",
      "Many variants of a model or a scenario: spread, failures, what matters; or the best design");
  command->add_option("STUDY", options->study, "Study file (*.yaml)")->required();
  add_set_option(*command, common);
  command->add_option("-o,--output", options->output, "Result (HDF5); default: the study's name with .h5");
  command->add_option("--csv", options->csv, "Besides, a table of all variants as CSV");
  command->add_option("--threads", options->threads, "How many; default: one for each core")
      ->check(CLI::Range(1, 4096));
  command->add_flag("--resume", options->resume,
                    "Go on with a result that was interrupted, or whose program was killed");
  command->add_flag("--force", options->force, "Replace files that exist");
  command->add_option("--replay", options->replay,
                      "Compute this variant alone, as a result of its own (default: STUDY.K.h5)");
  command->add_option("--part", options->part, "I/N: only the I-th of N parts, into STUDY.I-of-N.h5");
  command->add_flag("--merge", options->merge, "Put parts together that lie beside the result");
  command
      ->add_option("--slurm", options->slurm,
                   "Write a script for a job array of so many parts (STUDY.slurm), and run nothing")
      ->check(CLI::Range(1L, most_parts));
  command->footer(
      "The same bits whatever the number of threads, parts and restarts. docs/sweep.md\n"
      "  limber sweep studies/slew_tolerances.yaml -o tolerances.h5\n"
      "  limber report tolerances.h5 -o tolerances.html\n"
      "  limber sweep studies/lightest_boom.yaml -o boom.h5     # `optimise` in place of `vary`");
  command->callback([options, &common] {
    require_one_way(*options);
    const bool is_alone = options->replay || options->slurm || options->merge;
    if (is_alone && is_started_beside_another()) return;
    const std::unique_ptr<MpiMessenger> ranks = is_alone ? nullptr : mpi_messenger();
    if (ranks && ranks->rank() > 0) return help(*options, common, *ranks);
    const Study study = open_study(options->study, settings(common));
    if (options->replay) return replay(study, *options, common);
    if (options->slurm) return write_slurm_script(study, *options, common);
    if (options->merge) return merge(study, *options, common);
    run_study(study, *options, common, ranks.get());
  });
}

}  // namespace limber::app
