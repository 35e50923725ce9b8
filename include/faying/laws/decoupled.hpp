#pragma once
// A contact law applied along each tangential axis by itself, the two sharing the normal displacement: what whole-joint
// models do with elastic dry friction ([S0] 3.2: tangential directions are decoupled on a patch, on a full joint they
// are not). Each axis slips at the full limit mu fn; the normal force is counted once.

#include "faying/laws/contact.hpp"

namespace faying::laws {

template <ContactLaw C>
class Decoupled {
 public:
    using Scalar = typename C::Scalar;
    using Parameters = typename C::Parameters;
    template <class U>
    using rebind = Decoupled<typename C::template rebind<U>>;
    static constexpr std::string_view key = "elastic-dry-friction-decoupled";
    static_assert(C::key == "elastic-dry-friction", "give the new pair another key");
    static constexpr std::string_view title = "friction mu fn along each axis by itself, penalty contact";
    static constexpr std::string_view source = "[S0] 2.2.8, 3.2";
    static constexpr bool moves_along_line = false;  // there it is the other law
    static const auto& table() { return C::table(); }
    static std::vector<Specimen> specimens() { return C::specimens(); }

    explicit Decoupled(const Parameters& p) : axis_(p) {}
    Parameters parameters() const { return axis_.parameters(); }

    struct State {
        typename C::State first, second;
    };
    State virgin() const { return {axis_.virgin(), axis_.virgin()}; }

    ContactStep<Scalar, State> step(const State& z, const Vector3<Scalar>& u) const {
        const auto a = axis_.step(z.first, {u[0], Scalar(0.0), u[2]});
        const auto b = axis_.step(z.second, {u[1], Scalar(0.0), u[2]});
        ContactStep<Scalar, State> out;
        out.force = {a.force[0], b.force[0], a.force[2]};
        out.tangent[0] = {a.tangent[0][0], Scalar(0.0), a.tangent[0][2]};
        out.tangent[1] = {Scalar(0.0), b.tangent[0][0], b.tangent[0][2]};
        out.tangent[2] = {a.tangent[2][0], b.tangent[2][0], a.tangent[2][2]};
        out.dissipated = a.dissipated + b.dissipated;
        out.tangential_work = a.tangential_work + b.tangential_work;
        out.work = a.work + b.tangential_work;
        out.next = {a.next, b.next};
        return out;
    }

 private:
    C axis_;
};

}  // namespace faying::laws
