import { type Assertion, parseRegex, type RegexNode, RegexSyntaxError } from './regex-syntax.ts'

export type Instruction =
  | { op: 'characters'; matches: (code: number) => boolean }
  | { op: 'assertion'; of: Assertion }
  /** Goes on at both places; what comes from the first counts more. */
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'match' }

const MOST_INSTRUCTIONS = 20_000

/** A regular expression as steps of a machine. Throws RegexSyntaxError. */
export function compileRegex(pattern: string): Instruction[] {
  const program: Instruction[] = []
  emit(parseRegex(pattern), program)
  push(program, { op: 'match' })
  return program
}

function push(program: Instruction[], instruction: Instruction): void {
  if (program.length >= MOST_INSTRUCTIONS) throw new RegexSyntaxError('expression too large')
  program.push(instruction)
}

function emit(node: RegexNode, program: Instruction[]): void {
  switch (node.is) {
    case 'empty':
      return
    case 'characters':
      push(program, { op: 'characters', matches: node.matches })
      return
    case 'assertion':
      push(program, { op: 'assertion', of: node.of })
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

function emitChoice([first, ...rest]: readonly RegexNode[], program: Instruction[]): void {
  if (first === undefined) return
  if (rest.length === 0) {
    emit(first, program)
    return
  }
  const split: Instruction = { op: 'split', first: program.length + 1, second: 0 }
  push(program, split)
  emit(first, program)
  const jump: Instruction = { op: 'jump', to: 0 }
  push(program, jump)
  split.second = program.length
  emitChoice(rest, program)
  jump.to = program.length
}

function emitRepetition(
  { part, min, max, greedy }: RegexNode & { is: 'repetition' },
  program: Instruction[],
): void {
  for (let i = 0; i < min; i += 1) emit(part, program)
  if (max === Number.POSITIVE_INFINITY) {
    const start = program.length
    const split = fork(program, greedy)
    emit(part, program)
    push(program, { op: 'jump', to: start })
    split.leave(program.length)
    return
  }
  const splits = []
  for (let i = min; i < max; i += 1) {
    splits.push(fork(program, greedy))
    emit(part, program)
  }
  for (const split of splits) split.leave(program.length)
}

/** A choice between going on and leaving to a place that is told later. */
function fork(program: Instruction[], greedy: boolean): { leave(to: number): void } {
  const on = program.length + 1
  const split: Instruction = { op: 'split', first: on, second: on }
  push(program, split)
  return {
    leave(to) {
      if (greedy) split.second = to
      else split.first = to
    },
  }
}
