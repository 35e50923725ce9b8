// A law comes whole: whoever adds one without its specimen, page, timing or picture is told here.

#include "faying/laws/catalogue.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "../bench/cases.hpp"
#include "source_dir.hpp"

namespace {

using namespace faying;
using namespace faying::laws;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The page of docs/theory that says it is about `key`, in its paragraph that begins with "Key".
std::filesystem::path page_of(const std::string& key) {
    for (const auto& file : std::filesystem::directory_iterator(tests::source_dir() + "/docs/theory")) {
        if (file.path().extension() != ".md") continue;
        const std::string text = text_of(file.path());
        const auto from = text.find("\nKey");
        if (from == std::string::npos) continue;
        if (text.substr(from, text.find("\n\n", from) - from).find("`" + key + "`") != std::string::npos)
            return file.path();
    }
    return {};
}

/// What is missing for a law to be whole.
std::vector<std::string> missing_for(const LawEntry& entry) {
    static const std::set<std::string> timed = [] {
        std::set<std::string> names;
        bench::every_law(
            [&](const std::string& name, const auto&, double, int) { names.insert(name.substr(0, name.find(' '))); });
        return names;
    }();
    std::vector<std::string> missing;
    const auto& key = entry.info.key;
    if (entry.info.title == key) missing.push_back("title");
    if (entry.info.source.empty()) missing.push_back("source");
    if (entry.specimens.empty()) missing.push_back("specimen");
    if (!timed.contains(key)) missing.push_back("bench case");
    const auto page = page_of(key);
    if (page.empty()) return missing.push_back("theory page"), missing;
    const std::string text = text_of(page);
    const auto picture = text.find("(img/");
    if (picture == std::string::npos) return missing.push_back("picture"), missing;
    const std::string file = text.substr(picture + 1, text.find(')', picture) - picture - 1);
    if (!std::filesystem::exists(page.parent_path() / file)) missing.push_back("picture " + file);
    return missing;
}

TEST(Catalogue, EveryLawHasSpecimenTheoryBenchAndPicture) {
    int laws = 0;
    for (const auto& entry : catalogue()) {
        if (entry.info.key.starts_with("test-")) continue;  // of other tests in this program
        for (const auto& what : missing_for(entry)) ADD_FAILURE() << entry.info.key << " has no " << what;
        ++laws;
    }
    EXPECT_EQ(laws, 34);  // 26 of one displacement, 8 contact laws
}

struct Bare {
    using Scalar = double;
    struct State {};
    static constexpr std::string_view key = "test-bare";
    double k;
    static const auto& table() {
        static const core::ParameterTable<Bare> t = {core::parameter<&Bare::k>("k", "N/m", "stiffness")};
        return t;
    }
    State virgin() const { return {}; }
    Step<double, State> step(State z, double u) const { return {k * u, k, 0.5 * k * u * u, 0.0, z}; }
};

TEST(Catalogue, ALawThatIsNotWholeIsFound) {
    EXPECT_EQ(missing_for(entry_of<Bare>()),
              (std::vector<std::string>{"title", "source", "specimen", "bench case", "theory page"}));
}

/// Every specimen is a law that can be followed, driven around a loop (if it has one) and put at a joint.
TEST(Catalogue, SpecimensWork) {
    int specimens = 0;
    for (const auto& entry : catalogue())
        for (const auto& s : entry.specimens) {
            core::ParameterValues values;
            for (std::size_t i = 0; i < s.values.size(); ++i)
                if (const auto& p = entry.info.parameters[i]; !p.fallback || *p.fallback != s.values[i])
                    values[p.key] = s.values[i];
            const Law law(entry.info.key, values);
            EXPECT_EQ(law.components(), entry.info.components) << entry.info.key;
            EXPECT_EQ(law.joints(3).front().components(), entry.info.components);
            if (entry.info.components == 1) {
                const auto h = law.follow({s.amplitude, -s.amplitude});
                EXPECT_TRUE(std::isfinite(h.f.back())) << entry.info.key;
                if (law.independent_of_increments()) {
                    EXPECT_GT(law.cycle(s.amplitude).secant, 0) << entry.info.key;
                }
            }
            ++specimens;
        }
    EXPECT_GE(specimens, 41);
}

/// One parser: what it makes of names.
TEST(Catalogue, ExpressionsNameTheirParametersOnce) {
    const auto keys = [](const std::string& name) {
        std::string all;
        for (const auto& p : expression_parameters(name)) all += p.key + " ";
        return all;
    };
    EXPECT_EQ(keys("iwan4+kp"), "FS KT chi beta kp ");
    EXPECT_EQ(keys("jenkins+jenkins"), "1.kt 1.fs 2.kt 2.fs ");
    EXPECT_EQ(keys("jenkins+iwan4+kp"), "kt fs FS KT chi beta kp ");
    EXPECT_EQ(keys("jenkins-prager+kp"), "kt fs 1.kp 2.kp ");
    EXPECT_THROW(keys("kp"), core::BadInput);
    EXPECT_THROW(keys("jenkins+"), core::BadInput);
    EXPECT_THROW(keys("jenkins+six-state"), core::BadInput);
    EXPECT_EQ(parts_of("elastic-dry-friction+kp", 3).size(), 1u);  // that contact law is one
    EXPECT_EQ(parts_of("elastic-dry-friction+kp").size(), 2u);     // along a line it is two
}

/// The name alone, without un, is the contact law; with un it is moved along a line.
TEST(Catalogue, ContactLawsAreFoundByTheSameDoor) {
    const core::ParameterValues dry{{"kt", 3}, {"mu", 0.5}, {"kn", 10}};
    auto along = dry;
    along["un"] = 0.2;
    const Law three("elastic-dry-friction", dry), one("elastic-dry-friction", along);
    EXPECT_EQ(three.components(), 3);
    EXPECT_EQ(one.components(), 1);
    EXPECT_FALSE(three.masing());
    const auto line = one.follow({0, 1, -1});
    const std::vector<Vector3<double>> path{{0, 0, 0.2}, {1, 0, 0.2}, {-1, 0, 0.2}};
    const auto plane = three.follow(path);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(line.f[i], plane.f[i][0]);
    EXPECT_THROW(three.follow({0, 1}), core::BadInput);
    EXPECT_THROW(one.follow(path), core::BadInput);
}

TEST(Catalogue, MacroslipIsWhereEverythingSlips) {
    EXPECT_DOUBLE_EQ(Law("jenkins", {{"kt", 4}, {"fs", 2}}).macroslip().value(), 0.5);
    EXPECT_DOUBLE_EQ(Law("jenkins+jenkins", {{"1.kt", 4}, {"1.fs", 2}, {"2.kt", 1}, {"2.fs", 2}}).macroslip().value(),
                     2);
    const Law iwan("iwan4+kp", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}, {"kp", 1}});
    EXPECT_DOUBLE_EQ(iwan.macroslip().value(), 11.25);
    EXPECT_EQ(Law("polynomial", {{"k1", 1}}).macroslip(), core::infinity);
    EXPECT_FALSE(Law("bouc-wen", {{"A", 1}, {"alpha", 1}, {"beta", 0}}).macroslip().has_value());
    // The tangent is that of the springs from there on, and was not before.
    for (const auto& entry : catalogue()) {
        if (entry.info.components != 1) continue;
        for (const auto& s : entry.specimens) {
            const auto model = entry.make([&] {
                auto values = s.values;
                for (std::size_t i = values.size(); i < entry.info.parameters.size(); ++i)
                    values.push_back(*entry.info.parameters[i].fallback);
                return values;
            }());
            const auto at = model->macroslip();
            if (!at) continue;
            const std::vector<double> around{0.99 * *at, 1.01 * *at, 2 * *at};
            const auto h = model->follow(Path{around});
            EXPECT_EQ(h.tangent[1], h.tangent[2]) << entry.info.key;
            EXPECT_NE(h.tangent[0], h.tangent[1]) << entry.info.key;
        }
    }
}

}  // namespace
