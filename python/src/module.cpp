// The extension module faying._faying: the library's functions on plain arrays. python/faying/ is what users see.

#include <csignal>
#include <cstring>
#include <system_error>

#include "bind.hpp"
#include "faying/core/error.hpp"
#include "faying/geometric/coupled.hpp"
#include "faying/network/m_state.hpp"
#include "version.hpp"

namespace faying::python {

Eigen::VectorXd eigen_vector(const Array& a) { return Eigen::Map<const Eigen::VectorXd>(a.data(), a.size()); }

Eigen::MatrixXd eigen_matrix(const Array& a) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(a.data(), a.shape(0), a.shape(1));
}

Array array_of(std::vector<double>&& values) {
    auto* kept = new std::vector<double>(std::move(values));
    const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<double>*>(p); });
    return Array(py::ssize_t(kept->size()), kept->data(), owner);
}

Array array_of(const Eigen::VectorXd& values) { return Array(values.size(), values.data()); }

Array array_of(const Eigen::MatrixXd& values) {
    Array out({values.rows(), values.cols()});
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<RowMajor>(out.mutable_data(), values.rows(), values.cols()) = values;
    return out;
}

Array array_of_rows(const std::vector<std::vector<double>>& rows) {
    const std::size_t columns = rows.empty() ? 0 : rows.front().size();
    Array out({py::ssize_t(rows.size()), py::ssize_t(columns)});
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::memcpy(out.mutable_data() + i * columns, rows[i].data(), columns * sizeof(double));
    return out;
}

namespace {

struct sigaction before;  ///< Python's own handler, while ours stands in its place
int guards = 0;           ///< a law written in Python may call an analysis in turn

void raise_flag(int) { core::request_stop(); }

bool on_main_thread() {
    const auto threading = py::module_::import("threading");
    return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

Interruptible::Interruptible() : active_(on_main_thread()) {
    if (!active_ || guards++ > 0) return;
    core::clear_stop();
    struct sigaction ours = {};
    ours.sa_handler = raise_flag;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGINT, &ours, &before);
}

Interruptible::~Interruptible() {
    if (!active_ || --guards > 0) return;
    sigaction(SIGINT, &before, nullptr);
    // Work that was done before it saw the request: Python raises KeyboardInterrupt itself, after this call.
    if (core::stop_requested() && !std::uncaught_exceptions()) PyErr_SetInterrupt();
    core::clear_stop();
}

namespace {

void translate(std::exception_ptr caught) {
    const auto raise = [](const char* type, const std::string& message, auto... more) {
        const auto errors = py::module_::import("faying.errors");
        const py::object cls = errors.attr(type);
        const py::object error = cls(errors.attr("spoken")(message), more...);
        PyErr_SetObject(cls.ptr(), error.ptr());
    };
    try {
        if (caught) std::rethrow_exception(caught);
    } catch (const core::BadInput& error) {
        raise("BadInput", error.what());
    } catch (const core::NotConverged& error) {
        raise("NotConverged", error.what(), error.residual);
    } catch (const core::Interrupted&) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const std::system_error& error) {
        errno = error.code().value();
        PyErr_SetString(PyExc_OSError, error.what());
    }
}

}  // namespace

}  // namespace faying::python

PYBIND11_MODULE(_faying, m) {
    m.doc() = "The functions of the Faying library on plain arrays; import faying instead.";
    m.attr("__version__") = faying_version;
    pybind11::register_exception_translator(faying::python::translate);
    faying::network::add_law_files();  // a law's name may be that of a file
    faying::geometric::add_coupled_polynomials();
    faying::python::bind_laws(m);
    faying::python::bind_structures(m);
    faying::python::bind_modes(m);
    faying::python::bind_histories(m);
    faying::python::bind_fits(m);
    faying::python::bind_answers(m);
    faying::python::bind_measured(m);
}
