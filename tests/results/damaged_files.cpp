// SPDX-License-Identifier: BSD-3-Clause
// Results that were damaged, or that somebody else has made: they are read as they were written, or refused with an
// InputError. Nothing else may be thrown, crash, hang or be caught by a sanitizer.

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <new>
#include <random>
#include <set>

#include "library_words.hpp"
#include "limber/report/figure.hpp"
#include "limber/report/svg.hpp"
#include "read_result.hpp"
#include "rehearsal.hpp"
#include "results/crafted_result.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class DamagedFiles : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    hdf5::silence();
    test::write_small_result(folder_.path() / "complete.h5", true);
    test::write_small_result(folder_.path() / "interrupted.h5", false);
  }
  fs::path original(bool is_complete) const {
    return folder_.path() / (is_complete ? "complete.h5" : "interrupted.h5");
  }

  TemporaryFolder folder_;
};

// All that is done with a result, in this process.
void use(const fs::path& file) {
  read_all_of(file);
  const RunRecord record = read_run(file);
  for (const Figure& figure : figures(record)) ASSERT_FALSE(figure.id.empty());
  motion_svg(record);
  record.warnings();
}

constexpr int shards = 4;
constexpr int files_per_shard = 1250;

TEST_P(DamagedFiles, OfAnyContentAreReadOrRefused) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const fs::path file = folder_.path() / "crafted.h5";
  int accepted = 0, refused = 0;
  std::set<std::string> reasons;
  for (int i = 0; i < files_per_shard; ++i) {
    fs::copy_file(original(i % 2 == 0), file, fs::copy_options::overwrite_existing);
    test::Crafter(file, [&](std::size_t end) { return random() % end; }).craft();
    try {
      use(file);
      ++accepted;
    } catch (const InputError& error) {
      ++refused;
      const std::string message = error.what();
      ASSERT_NE(message.find(": expected "), std::string::npos) << message;
      ASSERT_EQ(test::library_words(message), "") << message;
      reasons.insert(message.substr(message.find("expected")));
    } catch (const std::exception& error) {
      FAIL() << "file " << i << " of shard " << GetParam() << " threw `" << error.what() << "`";
    }
  }
  std::cout << accepted << " accepted, " << refused << " refused for " << reasons.size() << " reasons\n";
  EXPECT_GT(accepted, files_per_shard / 50);
  EXPECT_GT(refused, files_per_shard / 2);
  EXPECT_GT(reasons.size(), 20u);
}

// Bytes that were turned, lost or overwritten: HDF5 itself may crash on them, in a process of its own. What is read after
// all is what was written.
TEST_P(DamagedFiles, OfAnyBytesAreReadAsTheyWereWrittenOrRefused) {
  std::mt19937 random(100u + static_cast<unsigned>(GetParam()));
  const fs::path file = folder_.path() / "damaged.h5";
  int accepted = 0, refused = 0;
  for (int i = 0; i < 100; ++i) {
    const fs::path good = original(i % 2 == 0);
    std::string bytes = content(good);
    const auto below = [&](std::size_t end) { return random() % end; };
    switch (below(4)) {
      case 0:
        bytes.resize(below(bytes.size()));
        break;
      case 1:
        std::fill_n(bytes.begin() + static_cast<long>(below(bytes.size() - 64)), 1 + below(64), '\0');
        break;
      default:
        for (std::size_t n = 1 + below(8); n > 0; --n)
          bytes[below(bytes.size())] ^= static_cast<char>(1U << below(8));
    }
    std::ofstream(file, std::ios::binary) << bytes;
    try {
      const RunRecord record = read_run(file), expected = read_run(good);
      ++accepted;
      ASSERT_EQ(record.table.values, expected.table.values);
      ASSERT_EQ(record.table.columns, expected.table.columns);
      ASSERT_EQ(record.run.info.sources[0].text, expected.run.info.sources[0].text);
      ASSERT_EQ(record.run.checkpoint.integrator.y, expected.run.checkpoint.integrator.y);
      ASSERT_EQ(record.run.status, expected.run.status);
    } catch (const InputError& error) {
      ++refused;
      ASSERT_NE(std::string(error.what()).find(": expected "), std::string::npos) << error.what();
    } catch (const std::exception& error) {
      FAIL() << "file " << i << " of shard " << GetParam() << " threw `" << error.what() << "`";
    }
  }
  std::cout << accepted << " accepted, " << refused << " refused\n";
  EXPECT_GT(refused, 30);
}

INSTANTIATE_TEST_SUITE_P(Results, DamagedFiles, testing::Range(0, shards));

// HDF5 may refuse bytes after it has done damage, or has leaked: a file that is refused is not opened in this process.
TEST(Rehearsal, RefusesInAProcessOfItsOwn) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("any.h5", "any");
  int calls = 0;
  const std::vector<Problem> problems = {{"a", "b", "", "d"}, {"", std::string(200'000, 'e'), "`f`", ""}};
  try {
    rehearse(file, [&] {
      ++calls;
      throw InputError(problems);
    });
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), std::string(InputError(problems).what()));
    ASSERT_EQ(error.problems().size(), 2u);
    EXPECT_EQ(error.problems()[1].found, "`f`");
  }
  for (const bool crashes : {false, true}) {
    try {
      rehearse(file, [&] {
        ++calls;
        if (crashes) std::raise(SIGKILL);
        throw std::bad_alloc();
      });
      FAIL();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("bytes are damaged"), std::string::npos) << error.what();
    }
  }
  EXPECT_NO_THROW(rehearse(file, [&] { ++calls; }));
  EXPECT_EQ(calls, 0);
}

// ---- what must be refused, one by one ----

class Checkpoints : public DamagedFiles {
 protected:
  /// The interrupted result with something done to it.
  template <typename Action>
  std::string refusal(Action&& action) {
    const fs::path file = folder_.path() / "changed.h5";
    fs::copy_file(original(false), file, fs::copy_options::overwrite_existing);
    {
      const hdf5::Handle handle(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open a file");
      action(handle);
    }
    try {
      read_run(file);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was refused";
  }
  static void set(hid_t file, const char* name, std::size_t at, double value) {
    const hdf5::Handle group = hdf5::existing_group(file, "checkpoint");
    std::vector<double> numbers = hdf5::read_numbers(group, name);
    numbers.at(at) = value;
    hdf5::write_numbers(group, name, numbers);
  }
};

TEST_F(Checkpoints, ThatNoRunWroteAreRefused) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* name : {"y", "numbers", "peaks"}) {
    for (const double bad : {nan, 1.0 / 0.0})
      EXPECT_NE(refusal([&](hid_t file) { set(file, name, 0, bad); }).find("expected a finite number"),
                std::string::npos);
    EXPECT_NE(refusal([&](hid_t file) { set(file, name, 0, 1e18); }).find("the numbers that were written"),
              std::string::npos);
  }
}

TEST_F(Checkpoints, OfAnotherLengthAreRefused) {
  for (const char* name : {"numbers", "sums"})
    EXPECT_NE(refusal([&](hid_t file) {
                hdf5::write_numbers(hdf5::existing_group(file, "checkpoint"), name, {1.0, 2.0});
              }).find("expected"),
              std::string::npos);
}

TEST_F(Checkpoints, AndRowsCountTheSame) {
  EXPECT_NE(refusal([](hid_t file) {
              const hdf5::Handle dataset(H5Dopen2(file, "time", H5P_DEFAULT), H5Dclose, "open");
              const hsize_t size = 3;
              H5Dset_extent(dataset, &size);
            }).find("rows, as its checkpoint says, found 3"),
            std::string::npos);
}

TEST_F(Checkpoints, DamageToOneNumberShows) {
  const std::string said = refusal([](hid_t file) {
    const hdf5::Handle dataset(H5Dopen2(file, "energy/kinetic", H5P_DEFAULT), H5Dclose, "open");
    std::vector<double> numbers(1000);
    H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    numbers[4] = std::nextafter(numbers[4], 1.0);
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
  });
  EXPECT_NE(said.find("energy/kinetic: expected the numbers that were written there"), std::string::npos)
      << said;
}

// Names of columns stand beside the numbers for other readers, and in no sum: they are those of the arm.
TEST_F(Checkpoints, ColumnsOfOtherNamesAreRefused) {
  const std::string said = refusal([](hid_t file) {
    const hdf5::Handle dataset(H5Dopen2(file, "end_effector/position", H5P_DEFAULT), H5Dclose, "open");
    hdf5::write_texts(dataset, "columns", {"a", "b", "c"});
  });
  EXPECT_NE(said.find("end_effector/position/columns: expected names of the arm in it"), std::string::npos)
      << said;
}

// A result of an older format is refused with what to do about it.
TEST_F(Checkpoints, OfOlderFormatsAreRefused) {
  const std::string said = refusal([](hid_t file) { hdf5::write_count(file, "format_version", 3); });
  EXPECT_NE(
      said.find(
          "expected a result of `limber simulate` in version 5 of the format, found one in version 3 (run "
          "the scenario again)"),
      std::string::npos)
      << said;
}

TEST_F(Checkpoints, WithoutRowsAreNoResults) {
  const fs::path file = folder_.path() / "empty.h5";
  const ScenarioFile source = scenario(test::small_scenario);
  const Scenario built = build_scenario(source.description, source.model);
  ResultWriter writer(file, built, {"limber test", source.sources});
  writer.finish({}, "failed: at once");
  try {
    read_run(file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("expected a result with rows, found none"), std::string::npos);
  }
}

// What was said of a run at its interruption may no longer hold at its end.
TEST_F(Checkpoints, WarningsAreThoseOfTheLastWriter) {
  const fs::path file = original(false);
  const ScenarioFile source = scenario(test::small_scenario);
  Scenario built = build_scenario(source.description, source.model);
  const ResultOrigin info{"limber test", source.sources};
  for (const std::vector<std::string>& warnings : {std::vector<std::string>{"a", "b"}, {}}) {
    RunOptions options;
    options.resume = read_stored_run(file).checkpoint;
    ResultWriter writer(file, built, info, options.resume->rows);
    writer.set_warnings(warnings);
    const RunSummary run = simulate(built, &writer, options);
    writer.finish(run.last, "complete");
    EXPECT_EQ(read_stored_run(file).warnings, warnings);
  }
}

// Whoever opens a result while it grows keeps what was there, and the run goes on.
TEST_F(Checkpoints, ReadersOfAGrowingResultAreInNobodysWay) {
  const fs::path file = folder_.path() / "growing.h5";
  const ScenarioFile source = scenario(test::small_scenario);
  Scenario built = build_scenario(source.description, source.model);
  ResultWriter writer(file, built, {"limber test", source.sources});
  writer.set_interval(0.0);
  std::vector<hdf5::Handle> readers;
  RunOptions options;
  options.progress = [&](const Progress&) {
    usleep(1000);
    if (fs::exists(file) && readers.size() < 5)
      readers.emplace_back(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open a file");
    return true;
  };
  const RunSummary run = simulate(built, &writer, options);
  writer.finish(run.last, "complete");
  ASSERT_EQ(readers.size(), 5u);
  for (const hdf5::Handle& reader : readers) EXPECT_EQ(hdf5::read_text(reader, "status"), "running");
  readers.clear();
  EXPECT_EQ(read_run(file).table.values.rows(), 21);
}

TEST_F(Checkpoints, ResultsAreWrittenByOneAtATime) {
  const fs::path file = folder_.path() / "locked.h5";
  const ScenarioFile source = scenario(test::small_scenario);
  const Scenario built = build_scenario(source.description, source.model);
  const ResultOrigin info{"limber test", source.sources};
  {
    const ResultWriter first(file, built, info);
    try {
      const ResultWriter second(file, built, info);
      FAIL();
    } catch (const InputError& error) {
      const std::string owner = "process " + std::to_string(getpid()) + " writes it";
      EXPECT_NE(std::string(error.what()).find(owner), std::string::npos) << error.what();
    }
  }
  const ResultWriter third(file, built, info);  // nobody has it any more
}

}  // namespace
}  // namespace limber
