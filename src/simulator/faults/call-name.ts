import { methodPaths } from '#simulator/services/access-rules.ts'

/** Whether a method is the one that somebody calls `Version`, `MachineService/Version` or by its full name. */
export function isCalled(method: string, name: string): boolean {
  const tail = name.replace(/^\//, '')
  const before = method.at(-tail.length - 1)
  return method.endsWith(tail) && (before === '/' || before === '.')
}

/** Whether machines have a method of that name. */
export const isCallName = (name: string): boolean =>
  methodPaths().some((path) => isCalled(path, name))
