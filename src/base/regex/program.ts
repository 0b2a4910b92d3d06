import type { CharacterTest } from './character-test.ts'
import type { Assertion, RegexNode, Repetition } from './regex-node.ts'

/** A step of the machine that a regular expression is made into. */
export type Instruction =
  | { op: 'characters'; matches: CharacterTest }
  | { op: 'assertion'; of: Assertion }
  /** Goes on at both places; what comes from the first counts more. */
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'match' }

/** How many instructions an expression makes, at the most. */
export function sizeOf(node: RegexNode): number {
  switch (node.is) {
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + sizeOf(part), 0)
    case 'choice':
      return node.parts.reduce((sum, part) => sum + sizeOf(part) + 2, 0)
    case 'repetition': {
      const part = sizeOf(node.part)
      if (node.max === Number.POSITIVE_INFINITY) return Math.max(node.min, 1) * part + 2
      return node.max * part + node.max - node.min
    }
    default:
      return 1
  }
}

/** A regular expression as steps of a machine. */
export function programOf(node: RegexNode): Instruction[] {
  const program: Instruction[] = []
  emit(node, program)
  program.push({ op: 'match' })
  return program
}

function emit(node: RegexNode, program: Instruction[]): void {
  switch (node.is) {
    case 'empty':
      return
    case 'characters':
      program.push({ op: 'characters', matches: node.matches })
      return
    case 'assertion':
      program.push({ op: 'assertion', of: node.of })
      return
    case 'sequence':
      for (const part of node.parts) emit(part, program)
      return
    case 'choice':
      emitChoice(node.parts, program)
      return
    case 'repetition':
      emitRepetition(node, program)
  }
}

function emitChoice(parts: readonly RegexNode[], program: Instruction[]): void {
  const ends: (Instruction & { op: 'jump' })[] = []
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1
    const split = isLast ? undefined : fork(program, true)
    emit(part, program)
    if (split === undefined) continue
    const end = { op: 'jump' as const, to: 0 }
    ends.push(end)
    program.push(end)
    split.leave(program.length)
  }
  for (const end of ends) end.to = program.length
}

function emitRepetition({ part, min, max, greedy }: Repetition, program: Instruction[]): void {
  const isOpen = max === Number.POSITIVE_INFINITY
  for (let i = isOpen ? 1 : 0; i < min; i += 1) emit(part, program)
  if (isOpen) {
    emitLoop({ part, greedy, isNeeded: min > 0 }, program)
    return
  }
  const splits = []
  for (let i = min; i < max; i += 1) {
    splits.push(fork(program, greedy))
    emit(part, program)
  }
  for (const split of splits) split.leave(program.length)
}

function emitLoop(
  { part, greedy, isNeeded }: { part: RegexNode; greedy: boolean; isNeeded: boolean },
  program: Instruction[],
): void {
  // What can be empty is tried once before it is asked whether to go on, so that Perl's match is found.
  const isTriedFirst = isNeeded || canBeEmpty(part)
  const skip = isNeeded ? undefined : fork(program, greedy)
  const start = program.length - (isTriedFirst ? 0 : 1)
  emit(part, program)
  if (isTriedFirst) fork(program, greedy, start).leave(program.length)
  else program.push({ op: 'jump', to: start })
  skip?.leave(program.length)
}

function canBeEmpty(node: RegexNode): boolean {
  switch (node.is) {
    case 'characters':
      return false
    case 'sequence':
      return node.parts.every(canBeEmpty)
    case 'choice':
      return node.parts.some(canBeEmpty)
    case 'repetition':
      return node.min === 0 || canBeEmpty(node.part)
    default:
      return true
  }
}

/** A choice between going on, here or elsewhere, and leaving to a place that is told later. */
function fork(
  program: Instruction[],
  greedy: boolean,
  on = program.length + 1,
): { leave(to: number): void } {
  const split: Instruction = { op: 'split', first: on, second: on }
  program.push(split)
  return {
    leave(to) {
      if (greedy) split.second = to
      else split.first = to
    },
  }
}
