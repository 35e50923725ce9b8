#pragma once
// Many sites of one law. The law's type is erased once for the whole patch, never per site or per step.
//
//     Joint joint(Jenkins<>({1e6, 10.0}), 152);
//     joint.evaluate(u, force, tangent);      // trial: the committed state stays
//     joint.commit();                         // accept the last trial
//
// A law of one displacement has one component per site, a contact law three (x, y, n; tangent 3x3 row by row), an
// element as many as it says. Any type that is a SiteLaw goes in, a user's own as well. JointOf<Dual> carries parameter
// derivatives through states and displacements alike.

#include <cassert>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "faying/laws/contact.hpp"
#include "faying/laws/law.hpp"

namespace faying::laws {

template <class T>
class JointOf {
 public:
    /// `sites` sites with the same parameters.
    template <SiteLaw L>
    JointOf(L law, std::size_t sites) : JointOf(std::vector<L>(1, std::move(law)), sites) {}

    /// A law a site (parameters may differ from site to site).
    template <SiteLaw L>
    explicit JointOf(std::vector<L> laws) : JointOf(laws, laws.size()) {}

    JointOf(const JointOf& other) : patch_(other.patch_->clone()) {}
    /// Between joints of one law and as many sites this copies states in place, without allocating.
    JointOf& operator=(const JointOf& other) {
        if (!patch_ || !patch_->assign(*other.patch_)) patch_ = other.patch_->clone();
        return *this;
    }
    JointOf(JointOf&&) noexcept = default;
    JointOf& operator=(JointOf&&) noexcept = default;

    std::size_t sites() const { return patch_->sites(); }
    int components() const { return patch_->components(); }

    /// Forces and tangents for a straight move of every site from its committed state; sizes sites*components and
    /// sites*components^2.
    void evaluate(std::span<const T> u, std::span<T> force, std::span<T> tangent) {
        patch_->evaluate(u, force, tangent);
    }
    /// The same for one site at many displacements, each a trial of its own: `u` holds one displacement (or three)
    /// after the other.
    void trace(std::size_t site, std::span<const T> u, std::span<T> force, std::span<T> tangent) const {
        patch_->trace(site, u, force, tangent);
    }
    /// Displacements at which the force may have a kink on a straight way from a site's committed state, either way
    /// and perhaps more than there are; false where the law does not say.
    bool kinks(std::size_t site, std::vector<double>& at) const { return patch_->kinks(site, at); }
    void commit() { patch_->commit(); }
    void reset() { patch_->reset(); }
    /// Total since virgin, all sites, committed.
    T dissipated() const { return patch_->dissipated(); }
    T dissipated(std::size_t site) const { return patch_->dissipated(site); }

    /// How many numbers make up a site's past, where the law lets them be set (FiniteMemoryLaw); else 0.
    std::size_t memory_size() const { return patch_->memory_size(); }
    /// The committed past of every site, sites * memory_size numbers.
    void memory(std::span<T> out) const { patch_->memory(out); }
    void set_memory(std::span<const T> in) { patch_->set_memory(in); }

 private:
    struct Patch {
        virtual ~Patch() = default;
        virtual std::unique_ptr<Patch> clone() const = 0;
        virtual std::size_t sites() const = 0;
        virtual int components() const = 0;
        virtual void evaluate(std::span<const T> u, std::span<T> force, std::span<T> tangent) = 0;
        virtual void trace(std::size_t site, std::span<const T> u, std::span<T> force, std::span<T> tangent) const = 0;
        virtual bool kinks(std::size_t site, std::vector<double>& at) const = 0;
        virtual void commit() = 0;
        virtual void reset() = 0;
        virtual T dissipated() const = 0;
        virtual T dissipated(std::size_t site) const = 0;
        virtual bool assign(const Patch& other) = 0;  ///< false when it is of another kind
        virtual std::size_t memory_size() const = 0;
        virtual void memory(std::span<T> out) const = 0;
        virtual void set_memory(std::span<const T> in) = 0;
    };

    template <class L>
    struct PatchOf final : Patch {
        static constexpr int width = width_of<L>();
        std::vector<L> laws;  ///< one for all, or one per site
        std::vector<typename L::State> committed;
        std::vector<T> dissipation;  ///< dissipated, by site
        std::vector<T> trial;        ///< displacements of the last evaluation

        PatchOf(std::vector<L> given, std::size_t count)
            : laws(std::move(given)), dissipation(count), trial(count * width) {
            assert(laws.size() == 1 || laws.size() == count);
            committed.reserve(count);
            for (std::size_t i = 0; i < count; ++i) committed.push_back(law(i).virgin());
        }
        const L& law(std::size_t i) const { return laws[laws.size() == 1 ? 0 : i]; }

        std::unique_ptr<Patch> clone() const override { return std::make_unique<PatchOf>(*this); }
        std::size_t sites() const override { return committed.size(); }
        int components() const override { return width; }

        void evaluate(std::span<const T> u, std::span<T> force, std::span<T> tangent) override {
            assert(u.size() == trial.size() && force.size() == trial.size() && tangent.size() == trial.size() * width);
            std::copy(u.begin(), u.end(), trial.begin());
            if constexpr (ManySiteLaw<L>)
                if (laws.size() == 1) return laws[0].respond_sites(committed, u, force, tangent);
            if (laws.size() == 1) {
                const L shared = laws[0];  // a local copy: its members stay in registers
                for (std::size_t i = 0; i < committed.size(); ++i) one(shared, committed[i], i, u, force, tangent);
            } else {
                for (std::size_t i = 0; i < committed.size(); ++i) one(laws[i], committed[i], i, u, force, tangent);
            }
        }

        void trace(std::size_t site, std::span<const T> u, std::span<T> force, std::span<T> tangent) const override {
            assert(force.size() == u.size() && tangent.size() == u.size() * width);
            const L here = law(site);
            if constexpr (PathLaw<L>) return here.respond_along(committed[site], u, force, tangent);
            if constexpr (ManySiteLaw<L>)
                return here.respond_sites(std::vector(u.size(), committed[site]), u, force, tangent);
            for (std::size_t i = 0; i < u.size() / width; ++i) one(here, committed[site], i, u, force, tangent);
        }

        bool kinks(std::size_t site, std::vector<double>& at) const override {
            if constexpr (!KinkedLaw<L>) {
                return false;
            } else if constexpr (std::same_as<decltype(law(site).kinks(committed[site], at)), bool>) {
                return law(site).kinks(committed[site], at);
            } else {
                law(site).kinks(committed[site], at);
                return true;
            }
        }

        /// The i-th displacement from a state.
        [[gnu::always_inline]] static void one(const L& here, const typename L::State& from, std::size_t i,
                                               std::span<const T> u, std::span<T> force, std::span<T> tangent) {
            if constexpr (width == 1) {
                const auto r = respond(here, from, u[i]);
                force[i] = r.force;
                tangent[i] = r.tangent;
            } else {
                const auto s = here.step(from, place(u, i));
                for (std::size_t a = 0; a < width; ++a) {
                    force[width * i + a] = s.force[a];
                    for (std::size_t b = 0; b < width; ++b) tangent[(width * i + a) * width + b] = s.tangent[a][b];
                }
            }
        }
        static std::array<T, std::size_t(width)> place(std::span<const T> u, std::size_t i) {
            std::array<T, std::size_t(width)> at;
            std::copy_n(u.data() + width * i, width, at.begin());
            return at;
        }

        void commit() override {
            if constexpr (ManySiteLaw<L>)
                if (laws.size() == 1) return laws[0].step_sites(committed, trial, dissipation);
            for (std::size_t i = 0; i < committed.size(); ++i) {
                if constexpr (width == 1) {
                    auto s = law(i).step(std::move(committed[i]), trial[i]);
                    dissipation[i] = s.dissipated;
                    committed[i] = std::move(s.next);
                } else {
                    auto s = law(i).step(committed[i], place(trial, i));
                    dissipation[i] = s.dissipated;
                    committed[i] = std::move(s.next);
                }
            }
        }

        void reset() override {
            for (std::size_t i = 0; i < committed.size(); ++i) {
                committed[i] = law(i).virgin();
                dissipation[i] = T(0.0);
            }
            trial.assign(trial.size(), T(0.0));
        }

        T dissipated() const override {
            T sum(0.0);
            for (const T& d : dissipation) sum += d;
            return sum;
        }
        T dissipated(std::size_t site) const override { return dissipation.at(site); }

        bool assign(const Patch& other) override {
            const auto* same = dynamic_cast<const PatchOf*>(&other);
            if (!same) return false;
            *this = *same;
            return true;
        }

        static constexpr std::size_t remembered = [] {
            if constexpr (FiniteMemoryLaw<L>)
                return std::tuple_size_v<decltype(std::declval<const L&>().memory(std::declval<typename L::State>()))>;
            return std::size_t(0);
        }();
        std::size_t memory_size() const override { return remembered; }
        void memory(std::span<T> out) const override {
            assert(out.size() == remembered * committed.size());
            if constexpr (remembered > 0)
                for (std::size_t i = 0; i < committed.size(); ++i) {
                    const auto m = law(i).memory(committed[i]);
                    for (std::size_t k = 0; k < remembered; ++k) out[i * remembered + k] = m[k];
                }
        }
        void set_memory(std::span<const T> in) override {
            assert(in.size() == remembered * committed.size());
            if constexpr (remembered > 0)
                for (std::size_t i = 0; i < committed.size(); ++i) {
                    auto m = law(i).memory(committed[i]);
                    for (std::size_t k = 0; k < remembered; ++k) m[k] = in[i * remembered + k];
                    committed[i] = law(i).with_memory(std::move(committed[i]), m);
                }
        }
    };

    template <class L>
    JointOf(std::vector<L> laws, std::size_t sites) : patch_(std::make_unique<PatchOf<L>>(std::move(laws), sites)) {}

    std::unique_ptr<Patch> patch_;
};

using Joint = JointOf<double>;

}  // namespace faying::laws
