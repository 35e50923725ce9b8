#pragma once
// A TOML file whose every complaint names file and line.

#define TOML_ENABLE_FORMATTERS 0
// Some of what toml++ asserts of a file it looks at again a line later, and says what is wrong.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <fmt/format.h>
#include <toml++/toml.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>

#include "faying/core/error.hpp"
#include "faying/core/text.hpp"

namespace faying::io {

class TomlFile {
 public:
    explicit TomlFile(const std::string& path);

    const toml::table& root() const { return root_; }
    const std::string& path() const { return path_; }

    std::string place(const toml::node& at) const {
        return fmt::format("{}:{}", path_, std::max(1u, unsigned(at.source().begin.line)));
    }
    [[noreturn]] void reject(const toml::node& at, const std::string& what) const {
        throw core::BadInput(place(at), what);
    }

    /// Says what a value must be, and what it is.
    [[noreturn]] void wrong_kind(const toml::node& at, std::string_view what, std::string_view needed) const {
        reject(at, fmt::format("{} must be {}; it is {}", what, needed, kind_of(at)));
    }
    static std::string_view kind_of(const toml::node& node);

    /// Runs `body`; a complaint that does not yet name this file gets the place of `at`.
    template <class Body>
    auto at_place(const toml::node& at, Body&& body) const {
        try {
            return body();
        } catch (const core::BadInput& error) {
            const std::string text = error.what();
            if (text.rfind(path_, 0) == 0) throw;
            reject(at, text);
        }
    }

    void only_keys(const toml::table& table, std::initializer_list<std::string_view> allowed) const {
        for (const auto& [key, node] : table) {
            bool known = false;
            std::string list;
            for (const auto name : allowed) {
                known = known || key.str() == name;
                list += (list.empty() ? "" : ", ") + std::string(name);
            }
            if (!known) reject(node, fmt::format("unknown key '{}'; allowed are: {}", key.str(), list));
        }
    }

    const toml::node& required(const toml::table& table, std::string_view key) const {
        const auto* node = table.get(key);
        if (!node) reject(table, fmt::format("'{}' is missing", key));
        return *node;
    }

    std::string text(const toml::node& node, std::string_view what) const {
        if (!node.is_string()) wrong_kind(node, what, "a text in quotes");
        const std::string& text = node.as_string()->get();
        if (core::one_line(text) != text)
            reject(node, fmt::format("{} must be a text of one line without control characters", what));
        return text;
    }
    /// Of a key that may be left out.
    std::string text(const toml::table& table, std::string_view key, const std::string& fallback) const {
        const auto* node = table.get(key);
        return node ? text(*node, key) : fallback;
    }

    bool flag(const toml::table& table, std::string_view key, bool fallback) const {
        const auto* node = table.get(key);
        if (!node) return fallback;
        if (!node->is_boolean()) wrong_kind(*node, key, "true or false");
        return node->as_boolean()->get();
    }

    double number(const toml::node& node, std::string_view what) const {
        if (!node.is_number()) wrong_kind(node, what, "a finite number");
        // An integer of more than 53 bits is rounded, as its digits with a point would be.
        const double x =
            node.is_integer() ? static_cast<double>(node.as_integer()->get()) : node.as_floating_point()->get();
        if (!std::isfinite(x)) reject(node, fmt::format("{} must be a finite number", what));
        return x;
    }

    int whole(const toml::node& node, std::string_view what, int least, int most = 1000000) const {
        if (!node.is_number()) wrong_kind(node, what, fmt::format("a whole number from {} to {}", least, most));
        const auto x = node.value<std::int64_t>();
        if (!node.is_integer() || !x || *x < least || *x > most)
            reject(node, fmt::format("{} must be a whole number from {} to {}", what, least, most));
        return int(*x);
    }
    /// Of a key that may be left out.
    int whole(const toml::table& table, std::string_view key, int fallback, int least, int most) const {
        const auto* node = table.get(key);
        return node ? whole(*node, key, least, most) : fallback;
    }

    Eigen::VectorXd vector(const toml::node& node, std::string_view what) const {
        const auto* list = node.as_array();
        if (!list) wrong_kind(node, what, "a list of numbers");
        Eigen::VectorXd v(static_cast<Eigen::Index>(list->size()));
        for (std::size_t i = 0; i < list->size(); ++i) v(static_cast<Eigen::Index>(i)) = number((*list)[i], what);
        return v;
    }

    Eigen::MatrixXd matrix(const toml::node& node, std::string_view what) const {
        const auto* rows = node.as_array();
        if (!rows) wrong_kind(node, what, "a list of rows, [[..], ..]");
        if (rows->empty()) reject(node, fmt::format("{} must be a list of rows, [[..], ..]", what));
        Eigen::MatrixXd m;
        for (std::size_t i = 0; i < rows->size(); ++i) {
            const Eigen::VectorXd row = vector((*rows)[i], fmt::format("row {} of {}", i + 1, what));
            if (i == 0) m.resize(static_cast<Eigen::Index>(rows->size()), row.size());
            if (row.size() != m.cols())
                reject((*rows)[i],
                       fmt::format("row {} of {} has {} numbers; the first has {}", i + 1, what, row.size(), m.cols()));
            m.row(static_cast<Eigen::Index>(i)) = row;
        }
        return m;
    }

    /// The [[name]] tables, none when there is no such key.
    template <class Visit>
    void each_table(std::string_view name, Visit&& visit) const {
        const auto* node = root_.get(name);
        if (!node) return;
        const auto* list = node->as_array();
        if (!list || !list->is_array_of_tables())
            reject(*node, fmt::format("{0}s are written as [[{0}]] tables", name));
        for (const auto& entry : *list) visit(*entry.as_table());
    }

 private:
    std::string path_;
    toml::table root_;
};

}  // namespace faying::io
