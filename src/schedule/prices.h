// Prices of scarce resources over time, and what a job pays at them.
//
// A bound from prices. Let every device-second of kind k at time t have a price d_k(t) >= 0, every
// watt-second a price p(t) >= 0 and every joule of the budget a price u >= 0. A job that runs by
// option o from s pays its cost plus the prices of what it uses:
//   pay(o, s) = cost(o, s) + ∫ d_k(t) + power · p(t) dt over [s, s + time) + u · energy_most.
// A schedule that keeps all limits pays at most income = Σ_k count_k ∫ d_k + cap ∫ p + u · budget
// for resources. So its cost is at least Σ_jobs min over (o, s) of pay(o, s) − income, whatever the
// prices: no solver has to be trusted, only this sum.
//
// For the end C of the last job all costs are 0, and the prices of the last bucket [E, ∞) are
// positive. Nothing runs after C, so income = income before E + (C − E) · rate with
// rate = Σ_k count_k d_k + cap · p of the last bucket, and Σ min pay <= income gives
// C >= E + (Σ_jobs min pay − income before E) / rate. This needs E <= C: see make_buckets.
#pragma once

#include <vector>

#include "schedule/problem.h"

namespace ampere {

// The stretches of time in which a price is constant: each from its edge to the next one, the last
// one without end. The first edge is 0.
using Buckets = std::vector<double>;

// Edges where deadlines, earliest begins and the forecast make a difference; few enough to solve
// linear programs. If the objective is time, no edge is after the earliest possible end.
Buckets make_buckets(const Problem& problem);

struct Prices {
  std::vector<std::vector<double>> device;  // per device-second, by kind and bucket
  std::vector<double> power;                // per watt-second, by bucket
  double budget = 0;                        // per joule

  static Prices none(const Problem& problem, const Buckets& buckets);
};

struct Offer {
  double pay = 0, begin = 0;
};

// What options pay at given prices. The problem and the buckets must outlive it. It remembers
// cheapest begins, so it is for one thread at a time.
class PriceList {
 public:
  PriceList(const Problem& problem, const Buckets& buckets, const Prices& prices);

  double pay(const Option& option, double begin) const;
  // The begins among which the cheapest is, since what is paid is linear between them. `last` is
  // when it must have ended. Overwrites `offers`.
  void offers(const JobToPlace& work, const Option& option, double last,
              std::vector<Offer>& offers) const;
  // The cheapest begin inside the window of the job.
  Offer cheapest(const JobToPlace& work, const Option& option) const;

  double bound() const;                         // of the objective, as above
  double bound_if_paid(double all_jobs) const;  // the same from the sum over the jobs

 private:
  struct Curve {  // of one resource
    std::vector<double> rate, integral;
  };

  std::size_t piece_of(double time) const;
  double integral(const Option& option, std::size_t piece, double time) const;
  double base(const Option& option) const;
  void combine(const Option& option) const;
  double income(double until) const;
  Curve curve(const std::vector<double>& rates) const;

  const Problem& problem_;
  const Buckets& buckets_;
  Prices prices_;
  std::vector<double> edges_;           // of the buckets and of the forecast
  std::vector<std::size_t> bucket_of_;  // of each piece between edges
  std::vector<Curve> device_;           // by kind
  Curve power_, forecast_;
  // Room to work in, and the cheapest begin per option: its pay is not a number until it is known.
  mutable std::vector<double> at_edge_, rate_;
  mutable std::vector<Offer> offers_, cheapest_;
};

}  // namespace ampere
