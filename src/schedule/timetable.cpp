#include "schedule/timetable.h"

namespace ampere {

Timetable::Timetable(const Problem& problem) : problem_(problem), busy_(problem.devices.size()) {}

double Timetable::first_fit(const Option& option, double from, double latest) const {
  const bool capped = problem_.cap < kForever;
  const double room = with_slack(problem_.cap) - option.power;
  const double others = problem_.devices[option.kind] - 1;
  for (double begin = from;;) {
    begin = busy_[option.kind].first_fit(begin, option.time, others, latest);
    if (!capped || begin > latest) return begin;
    const double powered = power_.first_fit(begin, option.time, room, latest);
    if (powered == begin || powered > latest) return powered;
    begin = powered;
  }
}

void Timetable::change(const Option& option, double begin, double sign) {
  const double end = begin + option.time;
  busy_[option.kind].add(begin, end, sign);
  if (problem_.cap < kForever) power_.add(begin, end, sign * option.power);
}

void Timetable::add(const Option& option, double begin) { change(option, begin, 1); }

void Timetable::remove(const Option& option, double begin) { change(option, begin, -1); }

}  // namespace ampere
