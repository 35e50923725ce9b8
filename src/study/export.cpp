#include "faying/study/export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"

namespace faying::study {

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

std::string number_or_nan(std::optional<double> x) { return x && std::isfinite(*x) ? fmt::format("{}", *x) : "nan"; }

std::string front_csv(const StudyResult& result, const VariantResult& variant) {
    auto names = variant.parameters;
    for (const auto& m : result.modes)
        for (const char* what : {"frequency", "damping"})
            names.push_back(fmt::format("{}_error_mode_{}", what, m.mode));
    std::string text =
        fmt::format("# {}{}: certified Pareto front, parameters per area, errors of [S0] Eq. 41\n{}\n",
                    result.is_virtual ? "virtual experiment; " : "", variant.name, fmt::join(names, ","));
    for (const auto& point : variant.front) {
        std::vector<std::string> row;
        for (const double x : point.values) row.push_back(number_or_nan(x));
        for (const auto& e : point.errors) {
            row.push_back(number_or_nan(e ? std::optional(e->frequency) : std::nullopt));
            row.push_back(number_or_nan(e ? std::optional(e->damping) : std::nullopt));
        }
        text += fmt::format("{}\n", fmt::join(row, ","));
    }
    return text;
}

std::string ranking_csv(const StudyResult& result) {
    std::string text = result.is_virtual ? "# virtual experiment\n" : "";
    text += "rank,variant,score";
    for (const auto& m : result.modes) text += fmt::format(",area_mode_{}", m.mode);
    text += '\n';
    for (const auto* v : result.ranked()) {
        text += fmt::format("{},{},{}", *v->rank, v->name, number_or_nan(v->score));
        for (const auto& a : v->area) text += "," + number_or_nan(a);
        text += '\n';
    }
    return text;
}

/// Of `faying backbone`, for the variant's analysis.
std::string options_text(const Variant& v) {
    if (!v.analysis.epmc)
        return fmt::format("--framework {}{}", framework_of(v), v.conservative ? " --prestress conservative" : "");
    std::string text = fmt::format("--method epmc --harmonics {}", fmt::join(v.analysis.harmonics.orders(), ","));
    if (v.analysis.samples > 0) text += fmt::format(" --samples {}", v.analysis.samples);
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
    text += fmt::format("#   faying backbone FILE --mode {} {} --amplitudes {:.3g}:{:.3g}:{}\n",
                        v.full ? fitted.full_index : fitted.index, options_text(v), fitted.data.amplitude.front(),
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
    text += fmt::format("\n[[joint]]\nname = \"normal\"\nlaw = \"{}\"\nparameters = {}\nalong = \"normal\"\n{}",
                        linear_spring(kn).name(), table_text({{spring_stiffness, kn}}), where);
    return text;
}

void export_fronts(const Study& study, const StudyResult& result, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw core::BadInput(folder, "cannot be made: " + error.message());
    const auto in_folder = [&](const std::string& name) { return (std::filesystem::path(folder) / name).string(); };
    std::vector<io::FileContent> files{{in_folder("ranking.csv"), ranking_csv(result)}};
    for (const auto& v : result.variants) {
        const auto variant = std::find_if(study.variants.begin(), study.variants.end(),
                                          [&](const Variant& w) { return w.name == v.name; });
        if (v.front.empty() || variant == study.variants.end()) continue;
        files.push_back({in_folder(v.name + ".csv"), front_csv(result, v)});
        for (const auto& p : v.front)
            for (const auto& [chosen, kind, which] :
                 {std::tuple{p.knee, "knee", "the knee"}, {p.utopia, "utopia", "the point nearest to utopia"}}) {
                if (!chosen) continue;
                const auto comment = fmt::format("{}: {} of its front in \"{}\"{}", v.name, which, study.title,
                                                 study.is_virtual ? " (virtual experiment)" : "");
                files.push_back({in_folder(fmt::format("{}-{}.toml", v.name, kind)),
                                 model_text(study, *variant, p.values, folder, comment)});
            }
    }
    io::write_files(files);
}

}  // namespace faying::study
