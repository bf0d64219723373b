#include "ampere/error.h"
#include "ampere/estimate.h"
#include "ampere/widths.h"

namespace ampere {

std::unique_ptr<WidthJudge> Estimator::judge(const Model&) const {
  throw Error(ErrorCode::usage, "this method cannot guide a search; dual, ampere and flops can");
}

std::string Estimator::what_if(const Model&) const {
  throw Error(ErrorCode::usage, "this method is not recomputed in a page; dual and ampere are");
}

std::unique_ptr<Estimator> Estimator::on_host(double) const { return nullptr; }

}  // namespace ampere
