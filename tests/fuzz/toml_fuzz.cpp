// Any bytes are a model, a reduction, a study, an experiment, a modal study and a network or law of states, or are
// refused with core::BadInput. The files they may name are there: a reduced model, a deck, a measured backbone.

#include "faying/core/error.hpp"
#include "faying/fe/reduce_file.hpp"
#include "faying/files/modal_study.hpp"
#include "faying/files/model.hpp"
#include "faying/network/m_state.hpp"
#include "faying/study/experiment.hpp"
#include "faying/study/study.hpp"
#include "scratch_file.hpp"

using namespace faying;

namespace {

void put_what_they_name(const fuzz::ScratchFiles& files) {
    files.put("rom.h5", "");
    files.put("deck.inp", "*NODE\n1, 0, 0, 0\n");
    files.put("measured.csv", "mode,amplitude,omega,zeta\n1,1e-6,100,0.01\n1,1e-5,99,0.02\n1,1e-4,98,0.03\n");
    files.put("mass.mtx", "1 1 2.0\n2 2 2.0\n");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::ScratchFiles files;
    static const bool ready = (put_what_they_name(files), true);
    (void)ready;
    const std::string path = files.put("given.toml", data, size);
    const auto read_or_refuse = [&](auto&& body) {
        try {
            body();
        } catch (const core::BadInput&) {}
    };
    read_or_refuse([&] { files::read_model(path); });
    read_or_refuse([&] { fe::read_reduce_file(path); });
    read_or_refuse([&] { study::read_study(path); });
    read_or_refuse([&] { study::read_experiment(path); });
    read_or_refuse([&] { files::read_modal_study(path); });
    read_or_refuse([&] { network::read_m_state(path); });
    return 0;
}
