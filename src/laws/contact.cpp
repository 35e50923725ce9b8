#include "faying/laws/contact.hpp"

#include "entry.hpp"
#include "faying/laws/along_line.hpp"
#include "faying/laws/decoupled.hpp"

namespace faying::laws {

namespace {

template <class C>
class ContactModelOf final : public SiteModel {
 public:
    explicit ContactModelOf(const std::vector<double>& values) : values_(values) {}
    Joint joint(std::size_t sites) const override { return Joint(C(parameters_from<C>(values_)), sites); }
    JointOf<core::Dual> joint(std::size_t sites, Seeds seeds) const override {
        return seeded_joint<C>(values_, sites, seeds);
    }

 private:
    std::vector<double> values_;
};

template <class C>
ContactEntry contact_entry(std::string title, std::string source) {
    ContactEntry e;
    e.info = {std::string(C::key),
              std::move(title),
              std::move(source),
              infos_of(C::table()),
              Claims{},
              Drive::displacement,
              3};
    e.follow = [](const std::vector<double>& values, std::span<const Vector3<double>> path) {
        const C law(parameters_from<C>(values));
        auto z = law.virgin();
        ContactHistory h;
        for (const auto& u : path) {
            auto s = law.step(z, u);
            h.u.push_back(u);
            h.f.push_back(s.force);
            h.tangent.push_back(s.tangent);
            h.work.push_back(s.work);
            h.dissipated.push_back(s.dissipated);
            z = s.next;
        }
        return h;
    };
    e.make = [](const std::vector<double>& values) -> std::shared_ptr<const SiteModel> {
        return std::make_shared<ContactModelOf<C>>(values);
    };
    return e;
}

}  // namespace

void add_contact(std::vector<LawEntry>& all) {
    all.push_back(entry<AlongLine<ElasticDryFriction<>>>("friction mu fn over penalty contact", "[S0] 2.2.8"));
    all.push_back(entry<AlongLine<ElasticDryFrictionLinear<>>>("friction mu fn over a normal spring", "[S0] 2.2.8"));
    all.push_back(entry<AlongLine<Jenkins2d<>>>("Jenkins in the plane, normal spring", "[S0] 2.2.7"));
    all.push_back(entry<AlongLine<Jenkins2dPenalty<>>>("Jenkins in the plane, penalty contact", "[S0] 2.2.7"));
    all.push_back(entry<AlongLine<JenkinsPrager2d<>>>("Jenkins-Prager in the plane, normal spring", "[S0] 2.2.10"));
    all.push_back(
        entry<AlongLine<JenkinsPrager2dPenalty<>>>("Jenkins-Prager in the plane, penalty contact", "[S0] 2.2.10"));
}

const std::vector<ContactEntry>& contact_catalogue() {
    static const std::vector<ContactEntry> all = {
        contact_entry<ElasticDryFriction<>>("friction mu fn over penalty contact", "[S0] 2.2.8"),
        contact_entry<ElasticDryFrictionSpring<>>("the same with a post-slip spring", "[S0] 2.3.3"),
        contact_entry<ElasticDryFrictionLinear<>>("friction mu fn over a normal spring", "[S0] 2.2.8"),
        contact_entry<Decoupled<ElasticDryFriction<>>>("friction mu fn along each axis by itself, penalty contact",
                                                       "[S0] 2.2.8, 3.2"),
        contact_entry<Jenkins2d<>>("Jenkins in the plane, normal spring", "[S0] 2.2.7"),
        contact_entry<Jenkins2dPenalty<>>("Jenkins in the plane, penalty contact", "[S0] 2.2.7"),
        contact_entry<JenkinsPrager2d<>>("Jenkins-Prager in the plane, normal spring", "[S0] 2.2.10"),
        contact_entry<JenkinsPrager2dPenalty<>>("Jenkins-Prager in the plane, penalty contact", "[S0] 2.2.10"),
    };
    return all;
}

bool is_contact_law(std::string_view key) {
    for (const auto& entry : contact_catalogue())
        if (entry.info.key == key) return true;
    return false;
}

}  // namespace faying::laws
