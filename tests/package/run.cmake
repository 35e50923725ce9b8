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
foreach(project user laws_only)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${project} -B ${WORK}/${project} -G Ninja -DCMAKE_BUILD_TYPE=Release
      -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_FLAGS=${FLAGS})
  run(${CMAKE_COMMAND} --build ${WORK}/${project})
  run(${WORK}/${project}/${project})
endforeach()
run(${WORK}/user/own_law)
run(${WORK}/prefix/bin/faying laws)
