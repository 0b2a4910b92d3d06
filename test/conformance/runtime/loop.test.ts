import { interruptionsContract } from './interruptions-contract.ts'
import { loopContract } from './loop-contract.ts'
import { operatorContract } from './operator-contract.ts'
import { startSmall } from './start-apis.ts'

loopContract('the small API', startSmall)
interruptionsContract('the small API', startSmall)
operatorContract('the small API', startSmall)
