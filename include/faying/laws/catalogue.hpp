#pragma once
// Laws by name: what the command line, model files and Python work with. The type of a law is erased for whole paths
// and whole cycles, never for a step.
//
//     Law law("iwan4+kp", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}, {"kp", 0.1}});
//     History h = law.follow({0, 1, -0.5, 0.7});
//     Cycle<double> c = law.cycle(2.0);
//
// A law of your own is a struct (law.hpp, contact.hpp); what it may say about itself is in entry.hpp:
//
//     Law mine(Damper<>{.k = 1e6, .fs = 10});             // goes wherever a Law goes
//     add_law<Damper<>>();                                // from here on by name too, in TOML files of this program:
//     Law same("damper+kp", {{"k", 1e6}, {"fs", 10}, {"kp", 1e4}});
//
// Names joined by '+' stand in parallel (expression.hpp).

#include "faying/laws/along_line.hpp"
#include "faying/laws/check.hpp"
#include "faying/laws/expression.hpp"

namespace faying::laws {

/// Every law, in the order of the docs, then those a program has added. A contact law may be there twice: on three
/// displacements, and moved along a line at a normal approach `un`.
std::vector<LawEntry> catalogue();
/// Throws BadInput naming the allowed keys.
const LawEntry& find_law(std::string_view key, int components = 1);
bool is_contact_law(std::string_view key);
/// Displacements of a site with that law: of the widest entry of that name, 1 for an expression.
int width_of_law(std::string_view key);

/// Puts an entry into the catalogue. Throws BadInput if the key cannot be used or another law has it.
void add_entry(LawEntry entry);
/// Takes the place of the law of that key, which laws made before it keep. Not while others look laws up.
void replace_entry(LawEntry entry);

/// A law is found by its key from here on, in files too. A contact law is added along a line as well. Adding a law
/// again does nothing, so that `inline const bool added = laws::add_law<MyLaw>();` may stand in a header.
template <class L>
bool add_law() {
    add_entry(entry_of<L>());
    if constexpr (ContactLaw<L>)
        if constexpr (moves_along_line<L>()) add_entry(entry_of<AlongLine<L>>());
    return true;
}

/// What a solver asks of a part of a law, in the order of `Law::joints`.
struct LawPart {
    bool spring = false;         ///< stores and never dissipates
    bool linear = false;         ///< a spring whose stiffness is the same everywhere
    double post_slip = 0;        ///< spring inside a hysteretic part that acts in full slip: its kp
    std::size_t parameters = 0;  ///< how many of the law's table belong to this part
    Claims claims = {};
};

/// A law with its parameters, ready to be asked and to stand at joints.
class Law {
 public:
    /// By name. A contact law is one on three displacements, unless its normal approach `un` is given: then it is moved
    /// along a line. A law driven by force is driven by displacement when the stiffness `ks` of a spring in series with
    /// it is given, as it has to be at joints.
    Law(const std::string& name, const core::ParameterValues& values);
    /// Any struct that is a SiteLaw: of one displacement, of contact, an element.
    template <class L>
    requires(!std::same_as<L, Law>) && SiteLaw<L>&& std::same_as<typename L::Scalar, double> explicit Law(const L& law)
        : Law(info_of<L>(), values_of(law), model_of(law)) {
        if constexpr (NamedParameters<L>) require_admissible<L>(laws::parameters_of(law));
    }

    /// What it says about itself, its parameters' values in table order, and what answers for it: for laws whose type
    /// the library never sees, such as one written in Python.
    Law(const LawInfo& info, const std::vector<double>& values, std::shared_ptr<const LawModel> model);

    /// In parallel, as the names joined by '+' would be. Throws BadInput for contact laws and laws driven by force.
    friend Law operator+(const Law& first, const Law& second);

    const std::string& name() const { return name_; }
    const std::vector<core::ParameterInfo>& parameters() const { return parameters_; }
    const std::vector<double>& values() const { return values_; }
    Drive drive() const { return drive_; }
    /// Displacements a site reads: 1, 3 for a contact law, any number for an element.
    int components() const { return components_; }
    /// Which of them presses, positive when the faces close; -1: none.
    int normal() const { return normal_; }
    bool contact() const { return normal_ >= 0; }
    const std::vector<LawPart>& parts() const { return parts_; }
    /// No part of it is hysteretic.
    bool elastic() const { return elastic_; }
    /// Branches are the virgin curve doubled, so that a structure's backbone needs only that curve (an elastic part
    /// does no harm).
    bool masing() const { return masing_; }
    /// What all of it promises: what every part does, springs aside where they do no harm.
    const Claims& claims() const { return claims_; }
    /// False for a law that depends on its increments (kept for comparison only).
    bool independent_of_increments() const { return independent_of_increments_; }
    /// Displacement beyond which every hysteretic part slips: infinite for springs alone, none where a part has no such
    /// point.
    std::optional<double> macroslip() const;
    /// How derivatives come about: by differences as soon as one part has no other way.
    Derivatives derivatives() const { return derivatives_; }

    History follow(const Path& path) const;
    History follow(const std::vector<double>& points) const { return follow(Path{points}); }
    Cycle<double> cycle(double amplitude, const CycleOptions& options = {}) const;
    History loop(double amplitude, int points = 200) const;
    std::vector<History> follow_derivatives(const Path& path) const;
    std::vector<Cycle<double>> cycle_derivatives(double amplitude, const CycleOptions& options = {}) const;
    /// What check_law (check.hpp) finds, by answers along whole paths, whatever the law is made of. Not of contact
    /// laws.
    std::vector<Finding> check(const CheckOptions& options = {}) const;
    /// A contact law along (x, y, n) points.
    ContactHistory follow(std::span<const Vector3<double>> points) const;

    /// The parts' joints, to be evaluated at the same displacements and summed.
    std::vector<Joint> joints(std::size_t sites) const;
    /// The same carrying derivatives; `seeds` has an entry per parameter.
    std::vector<JointOf<core::Dual>> joints(std::size_t sites, Seeds seeds) const;
    /// The parts that store and never dissipate (springs in parallel; the kp and normal springs inside other laws are
    /// not among them).
    std::vector<Joint> elastic_joints(std::size_t sites) const;

 private:
    explicit Law(std::string name) : name_(std::move(name)) {}
    void add_part(const LawInfo& info, const std::vector<double>& values, std::shared_ptr<const LawModel> model);

    std::string name_;
    std::vector<core::ParameterInfo> parameters_;
    std::vector<double> values_;
    Drive drive_ = Drive::displacement;
    int components_ = 1, normal_ = -1;
    bool independent_of_increments_ = true;
    bool masing_ = true;
    bool elastic_ = true;
    Derivatives derivatives_ = Derivatives::exact;
    Claims claims_ = {.return_point = true, .masing = true, .elastic = true, .cut_tolerance = 1e-16};
    std::vector<LawPart> parts_;
    std::vector<std::shared_ptr<const LawModel>> models_;  ///< of the parts
};

Law operator+(const Law& first, const Law& second);

}  // namespace faying::laws
