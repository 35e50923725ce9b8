#include "layout.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <numbers>

namespace faying::fe::text {

namespace {

/// Translation first, then rotation about the line a-b, by the angle in degrees.
Instance instance_of(Builder& builder, const Block& block) {
    Instance instance;
    instance.name = *block.find("NAME");
    instance.at = block.at;
    instance.part = builder.need(block, "PART");
    builder.allow(block, {"NAME", "PART"});
    Lines lines(block.data);
    Row row(builder.sources);
    bool read = row.read(lines);
    if (read && row.size() <= 3) {
        const auto t = row.reals("translation");
        for (std::size_t d = 0; d < t.size(); ++d) instance.translation[static_cast<Eigen::Index>(d)] = t[d];
        read = row.read(lines);
    }
    if (read) {
        if (row.size() != 7)
            row.refuse(fmt::format("a rotation takes two points and an angle: 7 values, not {}", row.size()));
        const auto v = row.reals("rotation");
        const Eigen::Vector3d a(v[0], v[1], v[2]), b(v[3], v[4], v[5]);
        if (!((b - a).norm() > 0)) row.refuse("the two points of the rotation axis coincide");
        const Eigen::AngleAxisd turn(v[6] * std::numbers::pi / 180.0, (b - a).normalized());
        instance.rotation = turn.toRotationMatrix();
        instance.translation = instance.rotation * (instance.translation - a) + a;
        if (row.read(lines)) row.refuse("an instance takes a translation line and a rotation line, no more");
    }
    return instance;
}

}  // namespace

Layout lay_out(Builder& builder, const std::vector<Block>& blocks) {
    Layout layout;
    PartBlocks open;  // the part or instance we are in
    const Block* step = nullptr;
    const Block* assembly = nullptr;
    for (const Block& block : blocks) {
        const std::string& name = block.name;
        if (step) {
            if (name == "STEP" || name == "PART" || name == "INSTANCE" || name == "ASSEMBLY")
                builder.refuse(step->at, "this *STEP has no *END STEP");
            layout.steps.back().push_back(&block);
            if (name == "ENDSTEP") step = nullptr;
        } else if (open.begin) {
            const bool part = open.begin->name == "PART";
            if (name == "STEP" || name == "PART" || name == "INSTANCE" || name == "ASSEMBLY" || name == "ENDASSEMBLY")
                builder.refuse(open.begin->at,
                               fmt::format("this *{} has no *END {}", open.begin->name, open.begin->name));
            if (name == (part ? "ENDPART" : "ENDINSTANCE")) {
                if (!part) {
                    layout.instances.push_back(open);
                } else if (!layout.parts.emplace(folded(*open.begin->find("NAME")), open).second) {
                    builder.refuse(open.begin->at,
                                   fmt::format("part '{}' is already defined", *open.begin->find("NAME")));
                }
                open = {};
            } else {
                open.blocks.push_back(&block);
            }
        } else if (name == "STEP") {
            if (assembly) builder.refuse(assembly->at, "this *ASSEMBLY has no *END ASSEMBLY");
            step = &block;
            layout.steps.push_back({&block});
        } else if (name == "PART" || name == "INSTANCE") {
            builder.need(block, "NAME");
            open.begin = &block;
        } else if (name == "ASSEMBLY") {
            if (const auto* given = block.find("NAME")) builder.assembly = *given;
            assembly = &block;
        } else if (name == "ENDASSEMBLY") {
            assembly = nullptr;
        } else {
            layout.root.push_back(&block);
        }
    }
    if (assembly && !open.begin)
        builder.refuse(assembly->at, "the file ends inside this *ASSEMBLY; *END ASSEMBLY is missing");
    if (step) builder.refuse(step->at, "the file ends inside this *STEP; *END STEP is missing");
    if (open.begin)
        builder.refuse(open.begin->at, fmt::format("the file ends inside this *{}; *END {} is missing",
                                                   open.begin->name, open.begin->name));
    return layout;
}

std::vector<Scope> scopes_of(Builder& builder, const Layout& layout) {
    std::vector<Scope> scopes;
    std::map<std::string, bool> used;
    for (const auto& open : layout.instances) {
        const Instance instance = instance_of(builder, *open.begin);
        const auto part = layout.parts.find(folded(instance.part));
        if (part == layout.parts.end())
            builder.refuse(open.begin->at, fmt::format("part '{}' is not defined", instance.part));
        if (builder.deck.instances.find(instance.name) != none)
            builder.refuse(open.begin->at, fmt::format("instance '{}' is already defined", instance.name));
        used[part->first] = true;
        Scope scope;
        scope.blocks = part->second.blocks;
        scope.blocks.insert(scope.blocks.end(), open.blocks.begin(), open.blocks.end());
        scope.instance = builder.deck.instances.add(instance);
        scopes.push_back(std::move(scope));
    }
    for (const auto& [name, part] : layout.parts)
        if (!used.contains(name))
            builder.reject(Severity::note, part.begin->at,
                           fmt::format("part '{}' has no instance: it is not in the model", *part.begin->find("NAME")));
    Scope root;
    root.blocks = layout.root;
    scopes.push_back(std::move(root));
    for (auto& scope : scopes) scope.used.assign(scope.blocks.size(), false);
    return scopes;
}

}  // namespace faying::fe::text
