// CalculiX itself reads and solves what the flat writer writes.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "deck_tests.hpp"
#include "faying/fe/deck_geometry.hpp"
#include "faying/fe/deck_writer.hpp"
#include "faying/fe/face.hpp"

namespace {

using namespace faying;
using namespace faying::fe;
using namespace faying::tests;

std::string slurp(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Writes the deck flat, runs ccx on it and returns its .dat file. Fails the test where ccx complains.
std::string run_ccx(const std::string& job, const Deck& deck, const FlatOptions& options) {
    if (std::system("command -v ccx > /dev/null 2>&1") != 0) {
        ADD_FAILURE() << "ccx is missing: install the package calculix-ccx";
        return "";
    }
    const auto folder = std::filesystem::temp_directory_path() / ("faying_ccx_" + std::to_string(::getpid()) + job);
    std::filesystem::create_directories(folder);
    write_flat_deck(deck, (folder / (job + ".inp")).string(), options);
    const std::string command =
        "cd " + folder.string() + " && OMP_NUM_THREADS=1 timeout 60 ccx -i " + job + " > log 2>&1";
    const int status = std::system(command.c_str());
    const std::string log = slurp(folder / "log");
    EXPECT_EQ(status, 0) << log;
    EXPECT_EQ(log.find("*ERROR"), std::string::npos) << log;
    EXPECT_EQ(log.find("*WARNING"), std::string::npos) << log;
    EXPECT_NE(log.find("Job finished"), std::string::npos) << log;
    const std::string dat = slurp(folder / (job + ".dat"));
    std::filesystem::remove_all(folder);
    return dat;
}

/// Rows of numbers after the heading that contains `title`.
std::vector<std::vector<double>> rows(const std::string& dat, const std::string& title) {
    std::vector<std::vector<double>> all;
    std::istringstream lines(dat.substr(std::min(dat.size(), dat.find(title))));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        std::vector<double> row;
        for (double x; fields >> x;) row.push_back(x);
        if (!row.empty() && !fields.eof()) row.clear();  // a heading that starts with a number
        if (row.empty() && !all.empty()) break;
        if (!row.empty()) all.push_back(row);
    }
    return all;
}

/// Omega squared of each mode.
std::vector<double> eigenvalues(const std::string& dat) {
    std::vector<double> all;
    for (const auto& row : rows(dat, "E I G E N V A L U E   O U T P U T")) all.push_back(row.at(1));
    return all;
}

/// n bricks end to end along z; the nodes of layer k are 4k + 1 .. 4k + 4.
std::string bar(int bricks, const std::string& type = "C3D8") {
    std::string text = "*NODE\n";
    for (int k = 0; k <= bricks; ++k)
        for (int c = 0; c < 4; ++c)
            text += std::to_string(4 * k + c + 1) + "," + (c == 1 || c == 2 ? "0.1" : "0") + "," +
                    (c >= 2 ? "0.123456789012345678" : "0") + "," + std::to_string(0.1 * k) + "\n";
    text += "*ELEMENT, TYPE=" + type + ", ELSET=ALL\n";
    for (int k = 0; k < bricks; ++k) {
        text += std::to_string(k + 1);
        for (int n = 1; n <= 8; ++n) text += "," + std::to_string(4 * k + n);
        text += "\n";
    }
    return text;
}

const std::string steel = "*MATERIAL, NAME=Steel\n*ELASTIC\n2.1e11, 0.0\n*DENSITY\n7850\n";

TEST(Ccx, SolvesABarUnderPull) {
    const Deck deck = parse_deck(bar(3) + steel +
                                 "*SOLID SECTION, ELSET=ALL, MATERIAL=Steel\n*NSET, NSET=\"The End\"\n13,14,15,16\n"
                                 "*NSET, NSET=Root\n1,2,3,4\n*BOUNDARY\nRoot, ENCASTRE\n"
                                 "*STEP\n*STATIC\n*CLOAD\nThe End, 3, 250.\n*END STEP\n");
    FlatOptions options;
    options.step = StaticStep{};
    options.state_of_step = 0;
    options.requests = "*NODE PRINT, NSET=The_End\nU\n";
    const auto u = rows(run_ccx("pull", deck, options), "displacements");
    ASSERT_EQ(u.size(), 4u);
    const double exact = 1000 * 0.3 / (2.1e11 * 0.1 * 0.123456789012345678);
    for (const auto& row : u) EXPECT_NEAR(row.at(3), exact, 1e-6 * exact);  // .dat has 7 digits
}

TEST(Ccx, TwoInstancesJoinedByEquationsVibrateAsOne) {
    // One part of two bricks, placed twice end to end and joined node by node.
    const Deck whole = parse_deck(bar(4) + steel + "*SOLID SECTION, ELSET=ALL, MATERIAL=Steel\n");
    const Deck parts = parse_deck("*PART, NAME=Half\n" + bar(2) +
                                  "*SOLID SECTION, ELSET=ALL, MATERIAL=Steel\n*END PART\n*ASSEMBLY, NAME=A\n"
                                  "*INSTANCE, NAME=Low.1, PART=Half\n*END INSTANCE\n"
                                  "*INSTANCE, NAME=High, PART=Half\n0,0,0.2\n*END INSTANCE\n*END ASSEMBLY\n" +
                                  steel);
    FlatOptions options;
    options.step = FrequencyStep{.modes = 12};
    const auto one = eigenvalues(run_ccx("whole", whole, options));
    options.constraints.emplace();
    for (Index c = 1; c <= 4; ++c)
        for (int dof = 1; dof <= 3; ++dof)
            options.constraints->push_back(
                {{{find_node(parts, c, 1), dof, 1.0}, {find_node(parts, c + 8, 0), dof, -1.0}}, {}});
    const auto joined = eigenvalues(run_ccx("joined", parts, options));
    ASSERT_EQ(one.size(), 12u);
    ASSERT_EQ(joined.size(), 12u);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_LT(std::abs(joined[k]), 1e-6 * one[6]);
    for (std::size_t k = 6; k < 12; ++k) EXPECT_NEAR(joined[k], one[k], 1e-6 * one[k]);
}

TEST(Ccx, MomentsActOnTheRotationNode) {
    // The end of the bar follows a reference node rigidly, u = U + R x r; a unit turn about z twists it.
    const Deck deck = parse_deck(bar(2) + steel +
                                 "*SOLID SECTION, ELSET=ALL, MATERIAL=Steel\n*NODE\n100, 0.05, 0.06, 0.2\n"
                                 "*NSET, NSET=Root\n1,2,3,4\n*NSET, NSET=End\n9,10,11,12\n*BOUNDARY\nRoot, ENCASTRE\n"
                                 "*STEP\n*STATIC\n*BOUNDARY\n100, 1, 5\n100, 6, 6, 0.001\n*END STEP\n");
    FlatOptions options;
    options.step = StaticStep{};
    options.state_of_step = 0;
    options.requests = "*NODE PRINT, NSET=End\nU\n";
    options.constraints.emplace();
    const Index reference = find_node(deck, 100);
    for (Index label = 9; label <= 12; ++label) {
        const Index node = find_node(deck, label);
        const Eigen::Vector3d r =
            deck.nodes[static_cast<std::size_t>(node)].point - deck.nodes[static_cast<std::size_t>(reference)].point;
        for (int d = 0; d < 3; ++d) {
            LinearEquation e;
            const int a = (d + 1) % 3, b = (d + 2) % 3;  // (R x r)_d = R_a r_b - R_b r_a
            e.terms = {
                {node, d + 1, 1.0}, {reference, d + 1, -1.0}, {reference, a + 4, -r[b]}, {reference, b + 4, r[a]}};
            options.constraints->push_back(e);
        }
    }
    const auto u = rows(run_ccx("twist", deck, options), "displacements");
    ASSERT_EQ(u.size(), 4u);
    EXPECT_NEAR(u[0].at(1), 0.001 * 0.06, 1e-10);   // node 9 at (0, 0): -R y, so +0.06
    EXPECT_NEAR(u[0].at(2), -0.001 * 0.05, 1e-10);  // and R x
    EXPECT_NEAR(u[2].at(1), -0.001 * (0.123456789012345678 - 0.06), 1e-10);
}

TEST(Ccx, TakesEveryElementTypeThatFayingAssembles) {
    std::string nodes, elements, sections, supports;
    int next_node = 1, next_element = 1;
    for (const auto& type : element_types()) {
        if (!type.assembled_as || type.ccx.empty()) continue;
        const bool solid = type.family == Family::solid;
        const Coordinates x = node_coordinates(*type.shape);
        const std::string name(type.name);
        elements += "*ELEMENT, TYPE=" + name + ", ELSET=" + name + "\n" + std::to_string(next_element++);
        int on_line = 1;
        for (Eigen::Index n = 0; n < x.rows(); ++n) {
            const double offset = 3.0 * next_element;
            nodes += std::to_string(next_node) + "," + std::to_string(x(n, 0) + offset) + "," +
                     std::to_string(x(n, 1)) + "," + std::to_string(x(n, 2)) + "\n";
            if (n < 3) supports += std::to_string(next_node) + ",1," + (solid ? "3" : "2") + "\n";
            elements += (on_line++ % 16 == 0 ? ",\n" : ",") + std::to_string(next_node++);
        }
        elements += "\n";
        sections += "*SOLID SECTION, ELSET=" + name + ", MATERIAL=Steel\n" + (solid ? "" : "0.5\n");
    }
    const Deck deck = parse_deck("*NODE\n" + nodes + elements + steel + sections + "*BOUNDARY\n" + supports);
    EXPECT_EQ(deck.types.size(), 22u);
    for (const auto& element : deck.elements) EXPECT_GT(*element_volume(deck, element), 0);
    FlatOptions options;
    options.step = StaticStep{};
    options.requests = "";
    run_ccx("types", deck, options);
}

}  // namespace
