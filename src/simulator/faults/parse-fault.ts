import { parseDuration } from '#base/duration.ts'
import { isCallName } from './call-name.ts'
import type { Fault } from './fault.ts'
import { type FaultName, faultKinds, isFaultName, type KeyForm, keysOf } from './fault-kinds.ts'

const LONGEST = 500

/**
 * Reads `NAME[:machine][,key=value]…`, as `dies:127.50.0.1,at=after-install`. Throws with what is wrong and
 * what there is instead.
 */
export function parseFault(text: string): Fault {
  if (text.length > LONGEST) throw new Error(`a fault is not longer than ${LONGEST} characters`)
  const [subject = '', ...pairs] = text.split(',')
  const colon = subject.indexOf(':')
  const name = colon < 0 ? subject : subject.slice(0, colon)
  if (!isFaultName(name)) {
    throw new Error(
      `there is no fault ${JSON.stringify(name)}: it is one of ${Object.keys(faultKinds).join(', ')}`,
    )
  }
  const machine = colon < 0 ? undefined : subject.slice(colon + 1)
  if (machine === '') throw new Error(`${name}: the machine after the colon is missing`)
  return faultOf(name, machine, optionsOf(name, pairs))
}

/** A fault from its parts, for programs. Throws like `parseFault`. */
function faultOf(
  name: FaultName,
  machine: string | undefined,
  options: ReadonlyMap<string, string>,
): Fault {
  for (const [key, { isRequired }] of keysOf(name)) {
    if (isRequired && !options.has(key)) throw new Error(`${name} needs ${key}=…`)
  }
  const [times, after, lasts] = ['times', 'after', 'for'].map((key) => options.get(key))
  return {
    name,
    machine,
    options,
    times: times === undefined ? faultKinds[name].times : Number(times),
    afterMs: Number(after ?? 0),
    forMs: lasts === undefined ? undefined : Number(lasts),
  }
}

function optionsOf(name: FaultName, pairs: readonly string[]): Map<string, string> {
  const keys = keysOf(name)
  const options = new Map<string, string>()
  for (const pair of pairs) {
    const [, key, value] = /^([^=]*)=(.*)$/s.exec(pair) ?? []
    if (key === undefined || value === undefined) {
      throw new Error(`${name}: ${JSON.stringify(pair)} is not of the form key=value`)
    }
    const form = keys.get(key)
    if (!form) {
      throw new Error(
        `${name} has no ${JSON.stringify(key)}: its keys are ${[...keys.keys()].join(', ')}`,
      )
    }
    if (options.has(key)) throw new Error(`${name}: ${key} is told twice`)
    options.set(key, readValue(form, value, `${name}: ${key}`))
  }
  return options
}

function readValue({ takes }: KeyForm, value: string, where: string): string {
  if (value === '') throw new Error(`${where} is empty`)
  if (takes === 'text') return value
  if (takes === 'call') return readCall(value, where)
  if (takes === 'number') return readNumber(value, where)
  if (takes === 'duration') return readDuration(value, where)
  if (!takes.includes(value)) throw new Error(`${where} is one of ${takes.join(', ')}`)
  return value
}

function readCall(value: string, where: string): string {
  if (!isCallName(value))
    throw new Error(`${where}: machines have no call ${JSON.stringify(value)}`)
  return value
}

function readNumber(value: string, where: string): string {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new Error(`${where} is a whole number from 1 on`)
  return value
}

function readDuration(value: string, where: string): string {
  // A clock may be behind as well as ahead.
  const sign = value.startsWith('-') && where.startsWith('clock-skew') ? '-' : ''
  try {
    return `${sign}${parseDuration(value.slice(sign.length)).ms}`
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    throw new Error(`${where} is a duration like 30s: ${reason}`)
  }
}
