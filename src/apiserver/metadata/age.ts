const minute = 60
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/** How long ago a timestamp was, as `kubectl get` shows it: `5s`, `3m20s`, `2d`. */
export function ageOf(timestamp: string | undefined, now: Date): string {
  if (!timestamp) return '<unknown>'
  const then = Date.parse(timestamp)
  return Number.isNaN(then) ? '<unknown>' : shortDuration((now.getTime() - then) / 1000)
}

/** Seconds with the two units at most that Kubernetes gives them; the finer one only while it matters. */
export function shortDuration(duration: number): string {
  const seconds = Math.trunc(duration)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 2 * minute) return `${seconds}s`
  const step = steps.find(({ below }) => seconds < below)
  if (!step) return `${Math.floor(seconds / year)}y`
  const whole = Math.floor(seconds / step.size)
  const rest = step.rest ? Math.floor((seconds % step.size) / step.rest.size) : 0
  return `${whole}${step.unit}${step.rest && rest > 0 ? `${rest}${step.rest.unit}` : ''}`
}

interface Step {
  below: number
  size: number
  unit: string
  rest?: { size: number; unit: string }
}

const steps: readonly Step[] = [
  { below: 10 * minute, size: minute, unit: 'm', rest: { size: 1, unit: 's' } },
  { below: 3 * hour, size: minute, unit: 'm' },
  { below: 8 * hour, size: hour, unit: 'h', rest: { size: minute, unit: 'm' } },
  { below: 48 * hour, size: hour, unit: 'h' },
  { below: 8 * day, size: day, unit: 'd', rest: { size: hour, unit: 'h' } },
  { below: 2 * year, size: day, unit: 'd' },
  { below: 8 * year, size: year, unit: 'y', rest: { size: day, unit: 'd' } },
]
