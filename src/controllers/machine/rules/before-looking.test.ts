import { expect, test } from 'vitest'
import type { Rival } from '#controllers/machine/world.ts'
import { aMachine } from '#test/builders.ts'
import { aWorld, NOW } from '#test/machine-world.ts'
import { contested } from './before-looking.ts'

const elsewhere = { address: '192.0.2.9', isOfSamePool: false, areTwo: false }
const inPool = { ...elsewhere, isOfSamePool: true }

/** What is said when another object has the machine. */
function said(over: Partial<Rival>): string | undefined {
  const rival: Rival = { name: 'lab/other', what: 'uuid', isLettingGo: false, ...over }
  return contested(aMachine(), aWorld({ rivals: [rival] }), NOW)?.ready?.message
}

test.each<[string, Partial<Rival>, string]>([
  [
    'has its address',
    { what: 'address' },
    'TalosMachine lab/other has the address 192.0.2.1: take the machine out of one of the two',
  ],
  [
    'has it, at the same address',
    {},
    'TalosMachine lab/other has the same machine: take the machine out of one of the two',
  ],
  [
    'has it, of another pool',
    { elsewhere },
    'TalosMachine lab/other has the same machine: take the machine out of one of the two',
  ],
  [
    'of its own pool has it, at another address',
    { elsewhere: inPool },
    'TalosMachine lab/other has the same machine, known at 192.0.2.9, and a machine has one entry. If it has moved to 192.0.2.1, take the entry of 192.0.2.9 out, and lab/other follows it; otherwise take out that of 192.0.2.1',
  ],
  [
    'has another machine of its UUID',
    { elsewhere: { ...inPool, areTwo: true } },
    'TalosMachine lab/other has a machine of the same UUID, which runs at 192.0.2.9. Two of one UUID cannot be told apart: give one of them another in its firmware, or take it out of the spec',
  ],
  [
    'has it reset',
    { isLettingGo: true },
    'TalosMachine lab/other has the same machine, and is being deleted: this one waits until it is gone',
  ],
  [
    'of its own pool has it reset, and follows it',
    { isLettingGo: true, elsewhere: inPool },
    'TalosMachine lab/other has the same machine, and is being deleted: it follows the machine from 192.0.2.9 to here and has it reset, and this one waits until it is gone',
  ],
  [
    'of another pool has it reset, and looks for it elsewhere',
    { isLettingGo: true, elsewhere },
    'TalosMachine lab/other has the same machine, and is being deleted, and looks for it at 192.0.2.9 to have it reset: this one waits until it is gone. If the machine is not there any more, annotate TalosMachine lab/other with talos.alperen.cloud/force-deletion=true, and wipe the machine with `talosctl reset`',
  ],
])(
  'a machine that another object has is left alone, and it is said what to do when that %s',
  (_, over, message) => {
    expect(said(over)).toBe(message)
  },
)

test('a machine that nobody else has is not contested', () => {
  expect(contested(aMachine(), aWorld(), NOW)).toBeUndefined()
})
