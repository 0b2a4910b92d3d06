import { interruptionsContract } from './interruptions-contract.ts'
import { loopContract } from './loop-contract.ts'
import { operatorContract } from './operator-contract.ts'
import { probesContract } from './probes-contract.ts'
import { startEmbedded } from './start-apis.ts'

loopContract('embedded API', startEmbedded)
interruptionsContract('embedded API', startEmbedded)
operatorContract('embedded API', startEmbedded)
probesContract('embedded API', startEmbedded)
