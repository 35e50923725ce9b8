#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "faying/core/error.hpp"
#include "faying/io/file.hpp"
#include "faying/io/json_file.hpp"
#include "faying/io/report.hpp"
#include "faying/study/report_data.hpp"

namespace faying::study {

namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

/// What the page takes for granted. Everything else may be missing: the page shows a dash.
class ReportChecker {
 public:
    ReportChecker(std::string file, const json& data) : file_(std::move(file)), data_(data) {}

    void check() {
        need("", data_.is_object(), "must be an object");
        need("/format", at("/format") == 1, "must be 1, the format this version reads");
        need("/title", at("/title").is_string(), "must be text");
        need("/virtual", at("/virtual").is_boolean(), "must be true or false");
        need("/modes", at("/modes").is_array() && !at("/modes").empty(), "must be a list of at least one mode");
        need("/variants", at("/variants").is_array(), "must be a list");
        for (std::size_t i = 0; i < at("/modes").size(); ++i) check_mode(fmt::format("/modes/{}", i));
        for (std::size_t i = 0; i < at("/variants").size(); ++i) check_variant(fmt::format("/variants/{}", i));
    }

 private:
    const json& at(const std::string& place) const {
        const Pointer pointer(place);
        need(place, data_.contains(pointer), "is missing");
        return data_.at(pointer);
    }
    void need(const std::string& place, bool holds, const std::string& what) const {
        if (!holds) throw core::BadInput(file_, fmt::format("{} {}", place.empty() ? "the data" : place, what));
    }
    void need_list(const std::string& place, std::size_t size) const {
        need(place, at(place).is_array() && at(place).size() == size, fmt::format("must be a list of {}", size));
    }

    void check_mode(const std::string& mode) {
        need(mode + "/mode", at(mode + "/mode").is_number_integer(), "must be a whole number");
        need(mode + "/fitted", at(mode + "/fitted").is_boolean(), "must be true or false");
        const auto measured = mode + "/measured";
        need(measured + "/amplitude", at(measured + "/amplitude").is_array(), "must be a list");
        const auto points = at(measured + "/amplitude").size();
        for (const auto* key : {"/frequency", "/damping"}) need_list(measured + key, points);
        for (const auto* key : {"/frequency_low", "/frequency_high", "/damping_low", "/damping_high"})
            if (data_.contains(Pointer(measured + key)) && !at(measured + key).empty())
                need_list(measured + key, points);
    }

    void check_variant(const std::string& variant) {
        const auto modes = at("/modes").size();
        for (const auto* key : {"/name", "/title"}) need(variant + key, at(variant + key).is_string(), "must be text");
        need(variant + "/name", names_.insert(at(variant + "/name").get<std::string>()).second, "is there twice");
        need_list(variant + "/area", modes);
        need(variant + "/parameters", at(variant + "/parameters").is_array(), "must be a list");
        need(variant + "/front", at(variant + "/front").is_array(), "must be a list");
        for (std::size_t k = 0; k < at(variant + "/front").size(); ++k) {
            const auto point = fmt::format("{}/front/{}", variant, k);
            need_list(point + "/x", at(variant + "/parameters").size());
            need_list(point + "/errors", modes);
        }
    }

    std::string file_;
    const json& data_;
    std::set<std::string> names_;
};

}  // namespace

json report_document(const std::string& path) {
    auto data = path.ends_with(".json") ? io::read_json(path) : report_data({path, Access::read});
    ReportChecker(path, data).check();
    return data;
}

json write_report(const std::string& path, const std::string& out, const std::string& title) {
    const bool as_data = out.ends_with(".json");
    if (!as_data && !out.ends_with(".html"))
        throw core::BadInput("--out", fmt::format("'{}' must end in .html (the page) or .json (its data)", out));
    auto data = report_document(path);
    if (!title.empty()) data["title"] = title;
    const auto plain = data.dump(-1, ' ', false, json::error_handler_t::replace);
    const auto text = as_data ? plain + "\n" : io::report_html(data["title"].get<std::string>(), plain);
    io::write_file(out, text);
    json ranking = json::array();
    std::size_t points = 0;
    for (const auto& variant : data["variants"]) {
        points += variant["front"].size();
        ranking.push_back({{"variant", variant["name"]},
                           {"rank", variant.value("rank", json())},
                           {"score", variant.value("score", json())},
                           {"area", variant["area"]}});
    }
    return {{"out", out},
            {"bytes", text.size()},
            {"variants", data["variants"].size()},
            {"points", points},
            {"ranking", ranking}};
}

}  // namespace faying::study
