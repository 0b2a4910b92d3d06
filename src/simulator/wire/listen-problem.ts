import { messageOf } from '#base/operator-error.ts'
import { problem } from '#base/problem.ts'

/** Why a machine cannot listen, for people. */
export function listenProblem(error: unknown, address: string, port: number): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const what = `a simulated machine cannot listen on ${address}, port ${port}`
  if (code === 'EADDRINUSE') {
    return problem({
      what,
      why: 'another program, or another simulation, listens there',
      remedy:
        'stop it, or give this simulation other addresses (--address-base) or another port (--port)',
    })
  }
  if (code === 'EADDRNOTAVAIL') {
    return problem({
      what,
      why: 'this computer does not have the address. Linux has all of 127.0.0.0/8; macOS has 127.0.0.1 alone',
      remedy: `add it (macOS: sudo ifconfig lo0 alias ${address} up), or begin with an address that there is`,
    })
  }
  if (code === 'EACCES') {
    return problem({
      what,
      why: 'ports below 1024 are for privileged programs',
      remedy: 'choose a port above 1023',
    })
  }
  return problem({ what, why: messageOf(error), remedy: 'correct the address and the port' })
}
