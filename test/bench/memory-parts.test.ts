import { expect, test } from 'vitest'
import { databaseMbIn, residentIn } from './memory-parts.ts'

const STATUS = `Name:\tnode
VmRSS:\t  181000 kB
RssAnon:\t  100000 kB
RssFile:\t   80000 kB
RssShmem:\t    1000 kB
`

const SMAPS = `00400000-00500000 r-xp 00000000 fe:00 1234  /usr/bin/node
Size:              40000 kB
Rss:               30000 kB
Pss:               30000 kB
7f0000000000-7f0010000000 r--s 00000000 fe:00 99  /tmp/x/store/store.mdb
Size:             262144 kB
Rss:               20000 kB
Pss_Dirty:             5 kB
7f0020000000-7f0030000000 r--s 10000000 fe:00 99  /tmp/x/store/store.mdb
Rss:                4000 kB
7f0040000000-7f0050000000 rw-p 00000000 00:00 0
Rss:                9999 kB
`

test('what a program has of its own is told apart from pages of files', () => {
  expect(residentIn(STATUS)).toEqual({ ownMb: 103.424, allFilesMb: 81.92 })
})

test('the pages of a database file are counted, and no others', () => {
  expect(databaseMbIn(SMAPS, /store\.mdb$/)).toBe(24.576)
  expect(databaseMbIn(SMAPS, /member\/snap\/db$/)).toBe(0)
})
