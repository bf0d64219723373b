// Times operations without any framework. How it goes wrong is chosen by the name of the operation,
// and how it starts by the first argument.
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <thread>

#include "ampere/error.h"
#include "rig/operation_child.h"

int main(int count, char** arguments) {
  using namespace ampere;
  const std::string start = count > 1 ? arguments[1] : "";
  if (start == "exits") {
    std::cerr << "no driver" << std::endl;
    return 1;
  }
  bool usable = true;
  int timed = 0;
  serve_operations(
      std::cin, std::cout,
      [&](const Operation& operation, std::span<const TensorType> tensors) {
        if (operation.name == "dies") raise(SIGKILL);
        if (operation.name == "hangs") std::this_thread::sleep_for(std::chrono::hours(1));
        if (operation.name == "floods") std::cout << "no JSON" << std::endl;
        if (operation.name == "breaks") usable = false;
        if (operation.name == "fails" || operation.name == "breaks")
          throw Error(ErrorCode::failed, operation.name + ": as it was told");
        return StepTimes{Seconds(static_cast<double>(tensors.size())),
                         Seconds(static_cast<double>(++timed))};
      },
      [&] { return usable; });
}
