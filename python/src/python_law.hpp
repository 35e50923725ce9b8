#pragma once
// A law written in Python, as the library sees it: a value whose step calls a function on arrays of sites.
//
//     step(u, z) -> force, tangent, work, dissipated, next        u: (n,) or (n, 3), z: (n, memory)
//
// Each call takes the interpreter's lock, so that solvers and studies may call from any thread. What the function
// raises goes through the solver to whoever called it.

#include <memory>

#include "bind.hpp"
#include "faying/laws/catalogue.hpp"

namespace faying::python {

/// An object of Python that C++ keeps: released under the lock, or left alone once the interpreter is gone.
std::shared_ptr<const py::object> kept(py::object object);

/// Width 1: a law of one displacement. Width 3: a contact law on (x, y, n); u is (n, 3), the tangent (n, 3, 3).
template <int Width>
class PythonLawOf {
 public:
    using Scalar = double;
    struct State {
        std::vector<double> memory;
    };
    static constexpr std::string_view key = "law in Python";  ///< its own is in `name`; the model puts it into messages

    /// `twin` has the parameters as attributes and the function `_step`; `virgin` is a site's memory at the start.
    PythonLawOf(std::string name, std::shared_ptr<const py::object> twin, std::vector<double> virgin)
        : name_(std::move(name)), twin_(std::move(twin)), virgin_(std::move(virgin)) {}

    const std::string& name() const { return name_; }
    const py::object& twin() const { return *twin_; }
    State virgin() const { return {virgin_}; }
    laws::Step<double, State> step(const State& z, double u) const requires(Width == 1);
    laws::ContactStep<double, State> step(const State& z, const laws::Vector3<double>& u) const requires(Width == 3);

    // Many sites at once (laws::ManySiteLaw).
    void respond_sites(const std::vector<State>& from, std::span<const double> u, std::span<double> force,
                       std::span<double> tangent) const;
    void step_sites(std::vector<State>& states, std::span<const double> u, std::span<double> dissipated) const;

 private:
    std::string name_;
    std::shared_ptr<const py::object> twin_;
    std::vector<double> virgin_;

    struct Answer {
        Array force, tangent, work, dissipated, next;
    };
    Answer ask(const std::vector<State>& from, std::span<const double> u) const;
};

using PythonLaw = PythonLawOf<1>;
using PythonContactLaw = PythonLawOf<3>;

core::ParameterInfo parameter_of(const py::dict& described);

/// What the Python side says about a law: key, title, parameters, claims, components, memory, macroslip, linear, twin, remake.
laws::Law law_from_python(const py::dict& about);
/// Found by name from here on; `make` gives the above for values in table order.
void register_python_law(const py::dict& about, py::function make);

}  // namespace faying::python
