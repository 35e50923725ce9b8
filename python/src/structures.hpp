#pragma once
// A model as Python holds it: the structure with its joints, and what solvers make of it once.

#include <memory>
#include <mutex>

#include "bind.hpp"
#include "faying/modes/interface.hpp"
#include "faying/structure/model.hpp"

namespace faying::python {

class ModelHandle {
 public:
    explicit ModelHandle(structure::Model model)
        : model_(std::make_shared<const structure::Model>(std::move(model))),
          condensed_(std::make_shared<Condensed>()) {}

    /// As it is now, for good: analyses take this, so that another thread may add joints meanwhile. Cheap.
    ModelHandle now() const { return *this; }
    const structure::Model& model() const { return *model_; }
    /// The structure as its joints see it; made when first asked for, shared with copies that differ in laws only.
    const modes::Interface& interface() const {
        std::call_once(condensed_->once, [&] { condensed_->interface.emplace(*model_); });
        return *condensed_->interface;
    }

    void add_joint(structure::Joint joint);
    void add_output(structure::Output output);
    ModelHandle with_laws(const std::vector<laws::Law>& laws) const;

 private:
    struct Condensed {
        std::once_flag once;
        std::optional<modes::Interface> interface;
    };
    std::shared_ptr<const structure::Model> model_;
    std::shared_ptr<Condensed> condensed_;
};

}  // namespace faying::python
