import type { Memory } from '#test/bench/memory.ts'

/** What a subject can be asked, and what it does then. */
export type Answers = Record<string, (argument: never) => Promise<unknown>>

export interface Asked {
  id: number
  question: string
  argument?: unknown
}

export type Answered<Answer = unknown> =
  | { id: number; answer: Answer }
  | { id: number; error: string }

/** The question that every subject can answer: how much memory it takes. */
export const MEMORY = 'memory'

/** Answers the bench, which started this program, until it goes away. */
export function answerQuestions(answers: Answers): void {
  const known: Record<string, (argument: unknown) => Promise<unknown>> = {
    ...(answers as Record<string, (argument: unknown) => Promise<unknown>>), // asked by their types
    [MEMORY]: ownMemory,
  }
  const reply = (answered: Answered) => void process.send?.(answered)
  process.on('message', ({ id, question, argument }: Asked) => {
    const answer = known[question]
    if (!answer) return reply({ id, error: `cannot answer ${question}` })
    answer(argument).then(
      (answer) => reply({ id, answer }),
      (error: unknown) => reply({ id, error: error instanceof Error ? error.message : `${error}` }),
    )
  })
  process.once('disconnect', () => process.exit(0))
}

const ownMemory = async (): Promise<Memory> => ({
  nowMb: process.memoryUsage().rss / 1e6,
  peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
})
