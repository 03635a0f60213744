#include <utility>

#include "policy/fields.h"

namespace paddock {

namespace {

template <Sense S, typename T, typename O>
void merge_field(Field<S, T> base, Field<S, O> over) {
  if constexpr (S == Sense::opens || S == Sense::closes) base.value.insert(base.value.end(), over.value.begin(), over.value.end());
  else if (over.value.stated) base.value = over.value;
}

}  // namespace

// Nothing is ever taken out here: a mask or protection stays beside a later grant of the same path,
// and the order of precedence at one path (mask, protect, read, write) decides when mounts are made.
Policy merge(Policy base, const Policy& over) {
  for_each_field([](auto field, auto said) { merge_field(field, said); }, base, over);
  return base;
}

}  // namespace paddock
