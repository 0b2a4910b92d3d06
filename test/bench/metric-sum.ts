/** The sum of a metric over all series that have these labels, from the text that Prometheus reads. */
export function metricSum(text: string, name: string, labels: RegExp): number {
  let sum = 0
  for (const line of text.split('\n')) {
    const [, series, own = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (series === name && labels.test(own)) sum += Number(value)
  }
  return sum
}
