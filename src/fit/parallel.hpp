#pragma once
// A loop over indices on several threads. Each index does its own work on its own data, so the answer does not depend
// on the number of threads.

#ifndef __EMSCRIPTEN__  // a browser's page has one thread
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#endif

#include <algorithm>
#include <cstddef>

namespace faying::fit {

template <class Body>
void for_each_index(std::size_t count, [[maybe_unused]] int threads, const Body& body) {
#ifdef __EMSCRIPTEN__
    threads = 1;
#endif
    if (threads == 1 || count < 2) {
        for (std::size_t i = 0; i < count; ++i) body(i);
        return;
    }
#ifndef __EMSCRIPTEN__
    // More threads than cores, if that is what the user wants.
    const std::size_t most = std::size_t(std::max(threads, tbb::info::default_concurrency()));
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, most);
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    // One index a task: evaluations differ widely in length. Isolated, so that a thread that waits inside one
    // evaluation does not start another.
    arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, count, 1),
            [&](const tbb::blocked_range<std::size_t>& range) {
                for (std::size_t i = range.begin(); i < range.end(); ++i)
                    tbb::this_task_arena::isolate([&] { body(i); });
            },
            tbb::simple_partitioner());
    });
#endif
}

}  // namespace faying::fit
