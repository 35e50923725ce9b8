#include "faying/study/store.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "faying/core/error.hpp"

namespace {

using namespace faying;
using study::Access;
using study::Record;
using study::Store;

class StoreFile : public testing::Test {
 protected:
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("faying_store_" + std::to_string(::getpid()));
    std::string path = (folder / "study.db").string();
    void SetUp() override { std::filesystem::create_directories(folder); }
    void TearDown() override { std::filesystem::remove_all(folder); }

    std::string note(Access access) const {
        try {
            Store store(path, access);
        } catch (const core::BadInput& e) {
            return e.what();
        }
        return "";
    }
};

/// A generation anybody can recompute.
std::vector<Record> generation(int g, int members = 20) {
    std::mt19937_64 random{std::uint64_t(g)};
    const auto number = [&] { return std::ldexp(double(random() >> 11), int(random() % 200) - 150); };
    std::vector<Record> all;
    for (int m = 0; m < members; ++m) {
        Record r{"iwan4", "search", g, {number(), -number(), number()}, {.objectives = {number(), number()}}};
        r.wall_time = number();
        r.code_version = "v1";
        if (m % 5 == 1) r.evaluation.jacobian = Eigen::MatrixXd::Constant(2, 3, number());
        if (m % 5 == 2) r.details = {number(), std::ldexp(number(), -900)};
        if (m % 7 == 3) {
            r.evaluation.status = fit::Status::not_converged;
            r.evaluation.residual = number();
        }
        all.push_back(r);
    }
    return all;
}

void expect_same(const std::vector<Record>& a, const std::vector<Record>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].values, b[i].values);
        EXPECT_EQ(a[i].evaluation.objectives, b[i].evaluation.objectives);
        EXPECT_EQ(a[i].evaluation.residual, b[i].evaluation.residual);
        EXPECT_EQ(a[i].evaluation.status, b[i].evaluation.status);
        EXPECT_EQ(a[i].wall_time, b[i].wall_time);
        EXPECT_EQ(a[i].code_version, b[i].code_version);
        EXPECT_EQ(a[i].phase, b[i].phase);
        EXPECT_EQ(a[i].details, b[i].details);
        ASSERT_EQ(a[i].evaluation.jacobian.rows(), b[i].evaluation.jacobian.rows());
        EXPECT_TRUE(a[i].evaluation.jacobian == b[i].evaluation.jacobian);
    }
}

std::vector<Record> of_generation(const Store& store, int g) {
    auto all = store.records("iwan4");
    std::erase_if(all, [&](const Record& r) { return r.generation != g; });
    return all;
}

/// Generations that are there, 0 to n - 1 without a gap.
int generations(const Store& store) {
    int n = 0;
    for (const auto& r : store.records("iwan4"))
        if (r.generation == n) ++n;
    return n;
}

TEST_F(StoreFile, GivesBackTheSameBits) {
    {
        Store store(path, Access::write);
        store.add(generation(0));
        store.add(generation(1));
        auto other = generation(5, 2);
        for (auto& r : other) r.variant = "a variant's \"name\"";
        store.add(other);
        store.set_text("study", "modes = [1]\n");
        store.set_text("study", "modes = [1, 2]\n");
    }
    const Store store(path, Access::read);
    expect_same(of_generation(store, 0), generation(0));
    expect_same(of_generation(store, 1), generation(1));
    EXPECT_EQ(store.records("iwan4").size(), 40u);
    const auto counts = store.counts("iwan4", "search");
    EXPECT_EQ(counts.evaluations, 40);
    EXPECT_EQ(counts.not_converged, 6);
    EXPECT_EQ(store.counts("iwan4", "tight").evaluations, 0);
    EXPECT_EQ(store.code_versions(), std::vector<std::string>{"v1"});
    EXPECT_EQ(store.variants(), (std::vector<std::string>{"iwan4", "a variant's \"name\""}));
    EXPECT_EQ(store.size(), 42);
    EXPECT_EQ(store.text("study"), "modes = [1, 2]\n");
    EXPECT_FALSE(store.text("other"));
}

TEST_F(StoreFile, NotANumberComesBackAsNotANumber) {
    Store store(path, Access::write);
    Record r{"x", "search", 0, {1.5}, {.objectives = {std::nan(""), INFINITY}, .status = fit::Status::failed}};
    r.evaluation.residual = std::nan("");
    store.add({r, {"x", "search", 0, {}, {}}});
    const auto back = store.records("x");
    EXPECT_TRUE(std::isnan(back[0].evaluation.objectives[0]) && std::isnan(back[0].evaluation.objectives[1]));
    EXPECT_TRUE(std::isnan(back[0].evaluation.residual));
    EXPECT_FALSE(back[0].evaluation.usable());
    EXPECT_TRUE(back[1].values.empty());
}

TEST_F(StoreFile, AddingAgainReplaces) {
    Store store(path, Access::write);
    store.add(generation(0));
    store.add(generation(0));
    EXPECT_EQ(store.size(), 20);
}

TEST_F(StoreFile, OneWriterManyReaders) {
    Store writer(path, Access::write);
    writer.add(generation(0));
    EXPECT_NE(note(Access::write).find("in use by another study"), std::string::npos);
    EXPECT_EQ(note(Access::write).find('\n'), std::string::npos);
    const Store reader(path, Access::read);
    EXPECT_EQ(reader.size(), 20);
    writer.add(generation(1));
    EXPECT_EQ(reader.size(), 40);
}

TEST_F(StoreFile, ReadersReadAndLeaveNothingBehind) {
    { Store(path, Access::write).add(generation(0)); }
    {
        Store store(path, Access::read);
        EXPECT_EQ(store.size(), 20);
        EXPECT_THROW(store.add(generation(1)), core::BadInput);
    }
    for (const char* end : {"-wal", "-shm"}) EXPECT_FALSE(std::filesystem::exists(path + end)) << end;
    EXPECT_EQ(Store(path, Access::read).size(), 20);
}

TEST_F(StoreFile, SaysWhatIsWrongWithAFile) {
    EXPECT_NE(note(Access::read).find("no such study store"), std::string::npos);
    std::ofstream(path) << "mode,amplitude\n" << std::string(2000, 'x');
    EXPECT_NE(note(Access::read).find("not an SQLite file"), std::string::npos);
    EXPECT_NE(note(Access::write).find("not an SQLite file"), std::string::npos);
    std::filesystem::remove(path);
    sqlite3* other = nullptr;
    sqlite3_open(path.c_str(), &other);
    sqlite3_exec(other, "CREATE TABLE t (a); INSERT INTO t VALUES (1)", nullptr, nullptr, nullptr);
    sqlite3_close(other);
    EXPECT_NE(note(Access::write).find("SQLite file of another program"), std::string::npos);
    path = (folder / "none" / "study.db").string();
    EXPECT_NE(note(Access::write).find("cannot be written"), std::string::npos);
    path = folder.string();
    EXPECT_NE(note(Access::write).find("is a folder"), std::string::npos);
}

TEST_F(StoreFile, DamageIsFound) {
    {
        Store store(path, Access::write);
        for (int g = 0; g < 20; ++g) store.add(generation(g));
    }
    const auto size = std::filesystem::file_size(path);
    {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(long(size / 2));
        file << std::string(6000, '\xA5');
    }
    EXPECT_NE(note(Access::read).find("is damaged"), std::string::npos);
    EXPECT_EQ(note(Access::read).find('\n'), std::string::npos);
    std::filesystem::resize_file(path, size / 2);
    EXPECT_NE(note(Access::write).find("is damaged"), std::string::npos);
}

TEST_F(StoreFile, LockedByAnotherProgram) {
    Store store(path, Access::write);
    sqlite3* other = nullptr;
    sqlite3_open(path.c_str(), &other);
    sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr);
    });
    store.add(generation(0));  // waits until the other lets go
    later.join();
    EXPECT_EQ(store.size(), 20);
    sqlite3_close(other);
}

TEST_F(StoreFile, TextsAreWrittenTogetherOrNotAtAll) {
    {
        Store store(path, Access::write);
        store.set_texts({{"a", "1"}, {"b", "2"}});
        EXPECT_TRUE(store.is_new());
    }
    sqlite3* other = nullptr;  // refuses the second of two
    sqlite3_open(path.c_str(), &other);
    ASSERT_EQ(sqlite3_exec(other,
                           "CREATE TRIGGER no BEFORE INSERT ON text WHEN NEW.key = 'd' BEGIN SELECT RAISE(ABORT, "
                           "'no'); END",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(other);
    Store store(path, Access::write);
    EXPECT_FALSE(store.is_new());
    EXPECT_THROW(store.set_texts({{"c", "3"}, {"d", "4"}}), core::BadInput);
    EXPECT_EQ(store.text("a"), "1");
    EXPECT_EQ(store.text("b"), "2");
    EXPECT_FALSE(store.text("c"));
}

/// By another program, in any column of any row.
TEST_F(StoreFile, ARowThatWasEditedIsNamed) {
    for (const char* change :
         {"UPDATE evaluation SET objectives = '[1,2]' WHERE id = 7", "UPDATE evaluation SET residual = 1 WHERE id = 7",
          "UPDATE evaluation SET wall_time = 0.5 * wall_time WHERE id = 7",
          "UPDATE evaluation SET status = 'converged ' WHERE id = 7",
          "UPDATE evaluation SET checksum = NULL WHERE id = 7"}) {
        std::filesystem::remove(path);
        { Store(path, Access::write).add(generation(0)); }
        EXPECT_EQ(note(Access::read), "");
        sqlite3* other = nullptr;
        sqlite3_open(path.c_str(), &other);
        sqlite3_exec(other, change, nullptr, nullptr, nullptr);
        sqlite3_close(other);
        for (const auto access : {Access::read, Access::write})
            EXPECT_NE(note(access).find("evaluation 7 is not what was written"), std::string::npos) << change;
    }
}

TEST_F(StoreFile, LossAndChangeUnderTheWriterAreNoticed) {
    {
        Store store(path, Access::write);
        store.add(generation(0));
        store.verify();
        std::filesystem::rename(path, path + "-moved");
        EXPECT_THROW(store.add(generation(1)), core::BadInput);
        EXPECT_THROW(store.verify(), core::BadInput);
        std::filesystem::rename(path + "-moved", path);
        store.add(generation(1));
        sqlite3* other = nullptr;
        sqlite3_open(path.c_str(), &other);
        ASSERT_EQ(sqlite3_exec(other, "DELETE FROM evaluation WHERE id = 3", nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(other);
        EXPECT_THROW(store.add(generation(2)), core::BadInput);
        EXPECT_THROW(store.set_text("a", "b"), core::BadInput);
    }
    EXPECT_EQ(Store(path, Access::read).size(), 39);
}

TEST_F(StoreFile, OneLockWhateverTheName) {
    const Store store(path, Access::write);
    const std::string real = path, link = (folder / "link.db").string();
    std::filesystem::create_symlink("study.db", link);
    path = link;
    EXPECT_NE(note(Access::write).find("in use by another study"), std::string::npos);
    std::filesystem::create_hard_link(real, folder / "hard.db");
    path = (folder / "hard.db").string();
    EXPECT_NE(note(Access::write).find("hard link"), std::string::npos);
    for (const char* name : {":memory:", "file:study.db", ""}) {
        path = name;
        EXPECT_NE(note(Access::write), "") << name;
    }
}

TEST_F(StoreFile, NothingStaysOfAStoreThatIsDiscarded) {
    {
        Store store(path, Access::write);
        store.set_text("a", "b");
        store.discard();
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

/// A child adds generation after generation from where the store stands; the parent kills it at a random moment. What
/// is there then is whole generations without a gap, with the right numbers.
TEST_F(StoreFile, SurvivesKills) {
    std::mt19937 random(42);
    int before = 0;
    for (int round = 0; round < 25 || (before <= 25 && round < 1000); ++round) {  // more on a busy machine
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            try {
                Store store(path, Access::write);
                for (int g = generations(store);; ++g) store.add(generation(g));
            } catch (const std::exception&) {}
            ::_exit(1);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(2000 + random() % 40000));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status));  // it was at work, not refused
        const Store store(path, round % 2 ? Access::read : Access::write);
        const int now = generations(store);
        EXPECT_GE(now, before);
        EXPECT_EQ(store.size(), 20 * now);
        for (int g = before; g < now; ++g) expect_same(of_generation(store, g), generation(g));
        before = now;
    }
    EXPECT_GT(before, 5);
}

}  // namespace
