#pragma once
// Laws by name: what the command line, model files and Python work with. The type of a law is erased for whole paths
// and whole cycles, never for a step.
//
//     Law law("iwan4+kp", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}, {"kp", 0.1}});
//     History h = law.follow({0, 1, -0.5, 0.7});
//     Cycle<double> c = law.cycle(2.0);
//
// A name joined by '+' puts laws in parallel; `kp` is a linear spring. A parameter two parts share is written with the
// part in front: jenkins+iwan4+kp has fs, kt, FS, KT, ..; jenkins+jenkins has 1.kt, 1.fs, 2.kt, 2.fs.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "faying/core/parameter.hpp"
#include "faying/laws/cycle.hpp"
#include "faying/laws/joint.hpp"

namespace faying::laws {

/// A law's answer along a path. `u` is always displacement and `f` always force, also for a law driven by force (its
/// `tangent` is then the compliance du/df). Energies are totals since virgin.
struct History {
    std::vector<double> u, f, tangent, work, dissipated;
};

/// A path of displacements (forces for a force-driven law), with times if the law needs them.
struct Path {
    std::span<const double> points;
    std::span<const double> times = {};
};

/// What `faying laws` prints of an entry.
struct LawInfo {
    std::string key;
    std::string title;
    std::string source;  ///< [S0]..[S4] and section
    std::vector<core::ParameterInfo> parameters;
    Claims claims;
    Drive drive = Drive::displacement;
    int components = 1;  ///< 3 for contact laws on (x, y, n)
};

/// Which direction of core::Dual each parameter is seeded in, in table order; -1: none.
using Seeds = std::span<const int>;

/// A law with its parameters, ready to stand at the sites of a joint.
class SiteModel {
 public:
    virtual ~SiteModel() = default;
    virtual Joint joint(std::size_t sites) const = 0;
    /// The same carrying derivatives; throws BadInput for a law not written for dual numbers.
    virtual JointOf<core::Dual> joint(std::size_t sites, Seeds seeds) const = 0;
};

/// A law of one displacement, ready to be asked.
class LawModel : public SiteModel {
 public:
    virtual History follow(const Path& path) const = 0;
    virtual Cycle<double> cycle(double amplitude, const CycleOptions& options) const = 0;
    /// The steady loop, drawn with `points` points a branch; only u and f are filled.
    virtual History loop(double amplitude, int points) const = 0;
    /// Derivatives of every answer to the parameter of each index, in table order.
    virtual std::vector<History> follow_derivatives(const Path& path) const = 0;
    virtual std::vector<Cycle<double>> cycle_derivatives(double amplitude, const CycleOptions& options) const = 0;
};

/// One entry of the catalogue.
struct LawEntry {
    LawInfo info;
    std::shared_ptr<const LawModel> (*make)(const std::vector<double>& values);  ///< values in table order, checked
};

/// Every law, in the order of the docs.
const std::vector<LawEntry>& catalogue();
const LawEntry& find_law(std::string_view key);  ///< throws BadInput naming the allowed keys

/// What a solver asks of a part of a law, in the order of `Law::joints`.
struct LawPart {
    bool spring = false;         ///< stores and never dissipates
    bool linear = false;         ///< a spring whose stiffness is the same everywhere
    double post_slip = 0;        ///< spring inside a hysteretic part that acts in full slip: its kp
    std::size_t parameters = 0;  ///< how many of the law's table are its own
};

/// Laws of one displacement by name, and contact laws on (x, y, n) by `Law::contact`; both stand at joints.
class Law {
 public:
    Law(const std::string& name, const core::ParameterValues& values);
    /// A contact law of contact_catalogue(); it only stands at joints (follow, cycle, .. throw BadInput).
    static Law contact(const std::string& name, const core::ParameterValues& values);

    const std::string& name() const { return name_; }
    const std::vector<core::ParameterInfo>& parameters() const { return parameters_; }
    const std::vector<double>& values() const { return values_; }
    Drive drive() const { return drive_; }
    /// Displacements a site reads: 1, or 3 for a contact law.
    int components() const { return contact_ ? 3 : 1; }
    const std::vector<LawPart>& parts() const { return parts_; }
    /// No part of it is hysteretic.
    bool elastic() const { return elastic_; }
    /// Branches are the virgin curve doubled, so that a backbone needs only that curve (an elastic part does no harm).
    bool masing() const { return masing_; }
    /// False for a law that depends on its increments (kept for comparison only).
    bool cuts_do_not_matter() const { return cuts_do_not_matter_; }

    History follow(const Path& path) const;
    History follow(const std::vector<double>& points) const { return follow(Path{points}); }
    Cycle<double> cycle(double amplitude, const CycleOptions& options = {}) const;
    History loop(double amplitude, int points = 200) const;
    std::vector<History> follow_derivatives(const Path& path) const;
    std::vector<Cycle<double>> cycle_derivatives(double amplitude, const CycleOptions& options = {}) const;
    /// The parts' joints, to be evaluated at the same displacements and summed.
    std::vector<Joint> joints(std::size_t sites) const;
    /// The same carrying derivatives; `seeds` has an entry a parameter.
    std::vector<JointOf<core::Dual>> joints(std::size_t sites, Seeds seeds) const;
    /// The parts that store and never dissipate (springs in parallel; the kp and normal springs inside other laws are
    /// not among them).
    std::vector<Joint> elastic_joints(std::size_t sites) const;

 private:
    Law() = default;
    const std::vector<std::shared_ptr<const LawModel>>& models() const;  ///< throws BadInput for a contact law

    std::string name_;
    std::vector<core::ParameterInfo> parameters_;
    std::vector<double> values_;
    Drive drive_ = Drive::displacement;
    bool cuts_do_not_matter_ = true;
    bool masing_ = true;
    bool elastic_ = true;
    std::vector<LawPart> parts_;
    std::vector<std::shared_ptr<const LawModel>> models_;  ///< of the parts
    std::shared_ptr<const SiteModel> contact_;
};

// Contact laws on (x, y, n) paths.

struct ContactHistory {
    std::vector<Vector3<double>> u, f;
    std::vector<std::array<Vector3<double>, 3>> tangent;
    std::vector<double> work, dissipated;
};

struct ContactEntry {
    LawInfo info;
    ContactHistory (*follow)(const std::vector<double>& values, std::span<const Vector3<double>> path);
    std::shared_ptr<const SiteModel> (*make)(const std::vector<double>& values);  ///< values in table order, checked
};

const std::vector<ContactEntry>& contact_catalogue();
bool is_contact_law(std::string_view key);

}  // namespace faying::laws
