#include "faying/study/export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"
#include "faying/study/report_data.hpp"

namespace faying::study {

using nlohmann::json;

namespace {

std::string table_text(const core::ParameterValues& values) {
    std::vector<std::string> pairs;
    for (const auto& [key, value] : values) {
        std::string number = fmt::format("{}", value);
        if (number.find_first_of(".e") == std::string::npos) number += ".0";
        const bool bare = key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                          std::string::npos;
        pairs.push_back(fmt::format("{} = {}", bare ? key : fmt::format("\"{}\"", key), number));
    }
    return fmt::format("{{ {} }}", fmt::join(pairs, ", "));
}

std::string number_or_nan(const json& x) { return x.is_null() ? "nan" : fmt::format("{}", x.get<double>()); }

std::string front_text(const json& report, const json& variant) {
    std::vector<std::string> names;
    for (const auto& p : variant.at("parameters")) names.push_back(p.at("key"));
    for (const auto& m : report.at("modes"))
        for (const char* what : {"frequency", "damping"})
            names.push_back(fmt::format("{}_error_mode_{}", what, m.at("mode").get<int>()));
    std::string text = fmt::format("# {}{}: certified Pareto front, parameters per area, errors of [S0] Eq. 41\n{}\n",
                                   report.at("virtual").get<bool>() ? "virtual experiment; " : "",
                                   variant.at("name").get<std::string>(), fmt::join(names, ","));
    for (const auto& point : variant.at("front")) {
        std::vector<std::string> row;
        for (const auto& x : point.at("x")) row.push_back(number_or_nan(x));
        for (const auto& e : point.at("errors"))
            for (std::size_t j = 0; j < 2; ++j) row.push_back(e.is_null() ? "nan" : number_or_nan(e[j]));
        text += fmt::format("{}\n", fmt::join(row, ","));
    }
    return text;
}

std::string ranking_text(const json& report) {
    std::string text = report.at("virtual").get<bool>() ? "# virtual experiment\n" : "";
    text += "rank,variant,score";
    for (const auto& m : report.at("modes")) text += fmt::format(",area_mode_{}", m.at("mode").get<int>());
    text += '\n';
    int rank = 0;
    for (const auto& name : ranking(report))
        for (const auto& v : report.at("variants")) {
            if (v.at("name") != name) continue;
            text += fmt::format("{},{},{}", ++rank, name, number_or_nan(v.at("score")));
            for (const auto& a : v.at("area")) text += "," + number_or_nan(a);
            text += '\n';
        }
    return text;
}

}  // namespace

std::string model_text(const Study& study, const Variant& v, const std::vector<double>& values,
                       const std::string& folder, const std::string& comment) {
    const auto& modes = study.setup.modes;
    const auto& fitted = *std::find_if(modes.begin(), modes.end(), [](const Mode& m) { return m.fitted; });
    const auto rom = std::filesystem::relative(v.full ? study.full_path : study.whole_path, folder).generic_string();
    auto law = law_values(v, values);
    std::string text = fmt::format("# {}\n", comment);
    text += fmt::format("#   faying backbone FILE --mode {} --framework {}{} --amplitudes {:.3g}:{:.3g}:{}\n",
                        v.full ? fitted.full_index : fitted.index,
                        v.framework == modes::Framework::masing ? "masing" : "loops",
                        v.conservative ? " --prestress conservative" : "", fitted.data.amplitude.front(),
                        fitted.data.amplitude.back(), std::min<std::size_t>(fitted.data.size(), 40));
    text += fmt::format("[structure]\nfile = \"{}\"\n", rom);
    if (!study.setup.loads.empty())
        text += fmt::format("static = {}\n", table_text({study.setup.loads.begin(), study.setup.loads.end()}));
    if (v.viscous) text += fmt::format("damping = {{ ratio = {} }}\n", fitted.zeta0);
    const std::string where = v.full ? "interface = true\n" : "patch = \"all\"\nper = \"area\"\n";
    if (v.contact)
        return text + fmt::format("\n[[joint]]\nname = \"contact\"\nlaw = \"{}\"\nparameters = {}\n{}", v.law,
                                  table_text(law), where);
    const double kn = law.at("kn");
    law.erase("kn");
    text += fmt::format("\n[[joint]]\nname = \"tangential\"\nlaw = \"{}\"\nparameters = {}\nalong = \"tangential\"\n{}",
                        v.law, table_text(law), where);
    text += fmt::format("\n[[joint]]\nname = \"normal\"\nlaw = \"polynomial\"\nparameters = {}\nalong = \"normal\"\n{}",
                        table_text({{"k1", kn}}), where);
    return text;
}

void export_fronts(const Study& study, const json& report, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw core::BadInput(folder, "cannot be made: " + error.message());
    const auto in_folder = [&](const std::string& name) { return (std::filesystem::path(folder) / name).string(); };
    std::vector<io::FileContent> files{{in_folder("ranking.csv"), ranking_text(report)}};
    for (const auto& v : report.at("variants")) {
        const std::string name = v.at("name");
        const auto variant = std::find_if(study.variants.begin(), study.variants.end(),
                                          [&](const Variant& w) { return w.name == name; });
        if (v.at("front").empty() || variant == study.variants.end()) continue;
        files.push_back({in_folder(name + ".csv"), front_text(report, v)});
        for (const auto& p : v.at("front"))
            for (const char* kind : {"knee", "utopia"}) {
                if (p.at("kind").get<std::string>().find(kind) == std::string::npos) continue;
                const auto comment =
                    fmt::format("{}: {} of its front in \"{}\"{}", name,
                                std::string_view(kind) == "knee" ? "the knee" : "the point nearest to utopia",
                                study.title, study.is_virtual ? " (virtual experiment)" : "");
                files.push_back({in_folder(fmt::format("{}-{}.toml", name, kind)),
                                 model_text(study, *variant, p.at("x").get<std::vector<double>>(), folder, comment)});
            }
    }
    io::write_files(files);
}

}  // namespace faying::study
