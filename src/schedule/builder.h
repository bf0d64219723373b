// Puts jobs into a timetable one by one, and takes them out again.
#pragma once

#include <optional>
#include <vector>

#include "schedule/plan.h"
#include "schedule/prices.h"
#include "schedule/timetable.h"

namespace ampere {

// How a builder chooses among the places that are free.
struct Rules {
  bool earliest = true;      // take the first begin that fits, instead of looking for a cheap one
  double latest = kForever;  // all jobs end by then, whatever their deadlines
  bool same_option = false;  // keep the options that the plan has
};

// Keeps all constraints of the jobs that are in it. The problem must outlive it.
class Builder {
 public:
  Builder(const Problem& problem, const Rules& rules);

  // Puts the job where it pays least of what is free; false if nothing is free in time and inside
  // the budget, with the smallest energies for all jobs that are not placed yet.
  bool insert(std::size_t job, const PriceList& prices);
  void put(std::size_t job, Slot slot);  // where there is known to be room
  void remove(std::size_t job);

  const Plan& plan() const { return plan_; }
  double cost(std::size_t job) const;  // of a placed job

 private:
  struct Place {
    Slot slot;
    double pay = 0, end = 0;
  };

  bool affordable(std::size_t job, const Option& option) const;
  void try_option(std::size_t job, std::uint32_t index, const PriceList& prices,
                  std::optional<Place>& best);
  void try_begin(std::size_t job, std::uint32_t index, double from, const PriceList& prices,
                 std::optional<Place>& best) const;

  const Problem& problem_;
  const Rules rules_;
  Timetable timetable_;
  Plan plan_;
  std::vector<double> least_energy_;  // per job
  double reserved_ = 0;               // energy_most of placed jobs, the least of all others
  std::vector<Offer> offers_;         // room to work in
  std::vector<std::pair<double, std::uint32_t>> order_;
};

}  // namespace ampere
