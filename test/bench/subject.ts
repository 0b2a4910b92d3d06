import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { systemClock } from '#base/clock.ts'
import { type Memory, memoryOf } from './memory.ts'
import { type Answered, type Answers, type Asked, MEMORY } from './subjects/answering.ts'

export const root = join(import.meta.dirname, '..', '..')

/** Node with what `bin/talos-operator` starts it with. */
export const LEAN_NODE = join(root, 'bin', 'lean-node')

const DEADLINE_MS = 5 * 60_000
// It has a part in machine code.
const NOT_BUNDLED = ['lmdb']

/** A program of ours that is measured, or that others are measured against. Disposing of it ends it. */
export interface Subject<Known extends Answers> extends AsyncDisposable {
  ask<Question extends string & keyof Known>(
    question: Question,
    argument: Parameters<Known[Question]>[0],
  ): Promise<AnswerOf<Known, Question>>
  memory(): Promise<Memory>
  pid: number
  /** When its process was started, on the clock of `performance`. */
  startedAtMs: number
}

/** How a subject is started, if not as any program. */
interface Start {
  /** What it finds on its command line. */
  args?: string[]
  /** What runs it, if not the Node that runs this. */
  node?: string
  /** What that finds on its own. */
  nodeArgs?: string[]
}

type AnswerOf<Known extends Answers, Question extends keyof Known> = Awaited<
  ReturnType<Known[Question]>
>

/**
 * Starts a file of `subjects` in a process of its own, bundled as the program is when it ships. It
 * ends with this process, whatever ends it.
 */
export async function startSubject<Known extends Answers>(
  name: string,
  { args = [], node = process.execPath, nodeArgs = ['--expose-gc'] }: Start = {},
): Promise<Subject<Known>> {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-bench-'))
  const bundle = await bundled(name, folder)
  const startedAtMs = performance.now()
  const child = fork(bundle, args, {
    execPath: node,
    execArgv: nodeArgs,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  let asked = 0
  return {
    pid: child.pid ?? 0,
    startedAtMs,
    ask(question, argument) {
      return answerTo({ id: ++asked, question, argument }, child, name)
    },
    // Where there is no /proc to look into, it has to say so itself.
    memory: () =>
      memoryOf(child.pid ?? 0).catch(() =>
        answerTo<Memory>({ id: ++asked, question: MEMORY }, child, name),
      ),
    async [Symbol.asyncDispose]() {
      // It has nothing to lose, and may be too busy to listen.
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function answerTo<Answer>(asked: Asked, child: ChildProcess, name: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      done()
      reject(new Error(`${name} ${why}`))
    }
    const onAnswer = (message: Answered<Answer>) => {
      if (message.id !== asked.id) return
      if ('error' in message) return fail(`failed: ${message.error}`)
      done()
      resolve(message.answer)
    }
    const onExit = () => fail('ended before it had answered')
    const cancel = systemClock.after(DEADLINE_MS, () => fail('gave no answer in time'))
    const done = () => {
      cancel()
      child.off('message', onAnswer).off('exit', onExit)
    }
    child.on('message', onAnswer).on('exit', onExit)
    child.send(asked, (error) => error && fail(error.message))
  })
}

/** Bundles with the settings of scripts/build.ts, so that figures are those of the shipped form. */
async function bundled(name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await build({
    absWorkingDir: root,
    entryPoints: [`test/bench/subjects/${name}.ts`],
    outfile,
    bundle: true,
    external: NOT_BUNDLED,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    minifySyntax: true,
    logLevel: 'error',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
  return outfile
}
