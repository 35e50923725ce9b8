# Installs this build into an empty prefix, then configures, builds and runs users' projects against it.
#   cmake -DBUILD=<build tree> -DWORK=<scratch folder> -P run.cmake
file(REMOVE_RECURSE ${WORK})
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${code}\n${out}")
  endif()
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
foreach(project user laws_only three_masses)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${project} -B ${WORK}/${project} -G Ninja -DCMAKE_BUILD_TYPE=Release
      -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_FLAGS=${FLAGS})
  run(${CMAKE_COMMAND} --build ${WORK}/${project})
  run(${WORK}/${project}/${project})
endforeach()
# What the small programs are linked with, all the way down.
foreach(project laws_only three_masses)
  execute_process(COMMAND ldd ${WORK}/${project}/${project} OUTPUT_VARIABLE linked COMMAND_ERROR_IS_FATAL ANY)
  if(linked MATCHES "lib(mpi|petsc|slepc|hdf5|matio|sqlite)[^ ]*")
    message(FATAL_ERROR "${project} is linked with ${CMAKE_MATCH_0}:\n${linked}")
  endif()
  if(NOT linked MATCHES "libstdc")  # ldd said something
    message(FATAL_ERROR "ldd ${project}:\n${linked}")
  endif()
endforeach()
run(${WORK}/user/own_law)
run(${WORK}/prefix/bin/faying laws)
