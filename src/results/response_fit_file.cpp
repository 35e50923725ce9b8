// Files of fits to measured responses.

#include <algorithm>

#include "faying/files/model.hpp"
#include "faying/modes/choice.hpp"
#include "faying/results/loads.hpp"
#include "faying/results/response_fit.hpp"
#include "io/toml_file.hpp"

namespace faying::results {

namespace {

class FitReader {
 public:
    explicit FitReader(const std::string& path) : file_(path) { request_.path = path; }

    ResponseFitRequest read() {
        const auto& root = file_.root();
        file_.only_keys(root, {"title", "model", "harmonics", "samples", "iterations", "response", "parameter"});
        const auto& model = file_.required(root, "model");
        request_.model = file_.at_place(model, [&] { return files::read_model(beside(model, "model")); });
        harmonics();
        request_.iterations = file_.whole(root, "iterations", request_.iterations, 1, 100000);
        file_.each_table("response", [&](const toml::table& t) { request_.data.push_back(response(t)); });
        file_.each_table("parameter", [&](const toml::table& t) { request_.parameters.push_back(parameter(t)); });
        if (request_.parameters.empty())
            file_.reject(root, "no parameter is searched: give [[parameter]] tables with joint, key and range");
        for (std::size_t i = 0; i < request_.parameters.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (request_.parameters[i].joint == request_.parameters[k].joint &&
                    request_.parameters[i].key == request_.parameters[k].key)
                    file_.reject(root, fmt::format("parameter {} of joint {} is given twice",
                                                   request_.parameters[i].key, request_.parameters[i].joint_name));
        return std::move(request_);
    }

 private:
    io::TomlFile file_;
    ResponseFitRequest request_;

    std::string beside(const toml::node& node, std::string_view what) const {
        const std::string name = file_.text(node, what);
        const auto path = std::filesystem::path(request_.path).parent_path() / name;
        if (!std::filesystem::is_regular_file(path)) file_.reject(node, fmt::format("there is no file '{}'", name));
        return path.string();
    }

    void harmonics() {
        const auto& root = file_.root();
        const int samples = file_.whole(root, "samples", 0, 0, 1000000);
        std::string text = "3";
        if (const auto* node = root.get("harmonics")) {
            text.clear();
            if (node->is_array())
                for (const double k : file_.vector(*node, "harmonics"))
                    text += fmt::format("{}{:g}", text.empty() ? "" : ",", k);
            else
                text = std::to_string(file_.whole(*node, "harmonics", 1, 500));
        }
        request_.harmonics = file_.at_place(root, [&] { return parse_harmonics(text, samples); });
    }

    ResponseData response(const toml::table& t) const {
        file_.only_keys(t, {"file", "force", "output", "at", "quantity"});
        ResponseData data;
        const auto& file = file_.required(t, "file");
        data.file = file_.text(file, "file");
        data.measured = file_.at_place(file, [&] { return files::read_response(beside(file, "file")); });
        const auto& force = file_.required(t, "force");
        file_.at_place(force, [&] {
            core::Words words("force", file_.text(force, "force"));
            data.load = load_shape(request_.model, words);
            words.finish();
        });
        if (t.contains("output") == t.contains("at")) file_.reject(t, "give one of output = \"NAME\" and at = DOF");
        if (const auto* output = t.get("output"))
            data.output = file_.at_place(*output, [&] {
                return Eigen::VectorXd(structure::find_output(request_.model, file_.text(*output, "output")));
            });
        else
            data.output = Eigen::VectorXd::Unit(request_.model.size(),
                                                file_.whole(*t.get("at"), "at", 1, int(request_.model.size())) - 1);
        const std::string quantity = file_.text(t, "quantity", "displacement");
        data.quantity = file_.at_place(t, [&] { return core::named(modes::quantities, quantity, "quantity"); });
        return data;
    }

    std::size_t joint_of(const toml::node& node) const {
        const auto& joints = request_.model.joints;
        if (node.is_integer()) return std::size_t(file_.whole(node, "joint", 1, int(joints.size()))) - 1;
        const std::string name = file_.text(node, "joint");
        std::string there;
        for (std::size_t j = 0; j < joints.size(); ++j) {
            if (joints[j].name == name) return j;
            there += (there.empty() ? "" : ", ") + joints[j].name;
        }
        file_.reject(node, fmt::format("the model has no joint '{}'; there are: {}", name, there));
    }

    ResponseParameter parameter(const toml::table& t) const {
        file_.only_keys(t, {"joint", "key", "range"});
        ResponseParameter p;
        p.joint = joint_of(file_.required(t, "joint"));
        p.joint_name = request_.model.joints[p.joint].name;
        const auto& law = request_.model.joints[p.joint].law;
        const auto& key = file_.required(t, "key");
        p.key = file_.text(key, "key");
        const auto found = std::find_if(law.parameters().begin(), law.parameters().end(),
                                        [&](const auto& info) { return info.key == p.key; });
        if (found == law.parameters().end())
            file_.reject(key, fmt::format("law {} of joint {} has no parameter '{}'", law.name(), p.joint_name, p.key));
        p.parameter = std::size_t(found - law.parameters().begin());
        p.unit = found->unit;
        p.start = p.value = law.values()[p.parameter];
        const auto& range = file_.required(t, "range");
        const auto ends = file_.vector(range, "range");
        if (ends.size() != 2 || !(ends(0) < ends(1))) file_.reject(range, "range must be [least, greatest]");
        p.lower = ends(0);
        p.upper = ends(1);
        if (!(p.start >= p.lower && p.start <= p.upper))
            file_.reject(range, fmt::format("the model has {} = {:g}, where the search starts: outside of the range",
                                            p.key, p.start));
        p.logarithmic = p.lower > 0 && found->scale == core::Scale::logarithmic;
        return p;
    }
};

}  // namespace

bool is_response_fit(const std::string& path) { return io::TomlFile(path).root().contains("response"); }

ResponseFitRequest read_response_fit(const std::string& path) { return FitReader(path).read(); }

}  // namespace faying::results
