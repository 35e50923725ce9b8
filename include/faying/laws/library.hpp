#pragma once
// Every law of the library, in the order of the docs. To add one: its header, and one line here.

#include "faying/laws/bouc_wen.hpp"
#include "faying/laws/contact.hpp"
#include "faying/laws/decoupled.hpp"
#include "faying/laws/generalized_valanis.hpp"
#include "faying/laws/iwan.hpp"
#include "faying/laws/iwan5_stiction.hpp"
#include "faying/laws/iwan_sliders.hpp"
#include "faying/laws/jenkins.hpp"
#include "faying/laws/pinched.hpp"
#include "faying/laws/polynomial.hpp"
#include "faying/laws/six_state.hpp"
#include "faying/laws/two_state.hpp"
#include "faying/laws/two_state_increment.hpp"
#include "faying/laws/valanis.hpp"

namespace faying::laws {

template <class... L>
struct LawList {};

// A family is compiled together.
using JenkinsFamily = LawList<Jenkins<>,        //
                              JenkinsPrager<>,  //
                              Prager<>,         //
                              Polynomial<>>;
using ContactFamily = LawList<ElasticDryFriction<>,             //
                              ElasticDryFrictionSpring<>,       //
                              ElasticDryFrictionLinear<>,       //
                              Decoupled<ElasticDryFriction<>>,  //
                              Jenkins2d<>,                      //
                              Jenkins2dPenalty<>,               //
                              JenkinsPrager2d<>,                //
                              JenkinsPrager2dPenalty<>>;
using IwanFamily = LawList<Iwan4<>,  //
                           Iwan5<>,  //
                           Iwan5Stiction<>>;
using SliderFamily = LawList<Iwan4Sliders<>,  //
                             EqualSliders<>>;
using BoucWenFamily = LawList<BoucWen<>,  //
                              BoucWenMasing<>>;
using ValanisFamily = LawList<Valanis<>,        //
                              ValanisMasing<>,  //
                              GeneralizedValanis<>>;
using TwoStateFamily = LawList<TwoState<>,                                      //
                               TwoStateIncrement<SlipDirection::eigenproblem>,  //
                               TwoStateIncrement<SlipDirection::patched>>;
using SixStateFamily = LawList<SixState<>>;
using PinchedFamily = LawList<Pinched<>,  //
                              Reid<>>;

namespace detail {
template <class... Lists>
struct Joined;
template <class... L>
struct Joined<LawList<L...>> {
    using type = LawList<L...>;
};
template <class... L, class... M, class... Rest>
struct Joined<LawList<L...>, LawList<M...>, Rest...> : Joined<LawList<L..., M...>, Rest...> {};
}  // namespace detail

using Library = detail::Joined<JenkinsFamily, ContactFamily, IwanFamily, SliderFamily, BoucWenFamily, ValanisFamily,
                               TwoStateFamily, SixStateFamily, PinchedFamily>::type;

}  // namespace faying::laws
