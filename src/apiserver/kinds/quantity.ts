const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** A quantity such as `500m` or `1Gi` as a number, exact enough to compare; NaN for anything else. */
export function amountOf(quantity: unknown): number {
  if (typeof quantity === 'number') return quantity
  if (typeof quantity !== 'string') return Number.NaN
  const [, digits = '', suffix = ''] =
    /^([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)([a-zA-Z]*)$/.exec(quantity) ?? []
  const factor = factors[suffix]
  return digits && factor !== undefined ? Number(digits) * factor : Number.NaN
}
