# Prints random keys and messages with the code that Python's hmac makes of them, in hexadecimal digits: KEY MESSAGE CODE.
import hashlib
import hmac
import random

source = random.Random(4231)
for number in range(2000):
    key = source.randbytes(source.choice([0, 1, 16, 32, 63, 64, 65, 200]))
    message = source.randbytes(source.choice([0, 1, 55, 56, 63, 64, 65, 119, 120, 500, source.randrange(300)]))
    code = hmac.new(key, message, hashlib.sha256).hexdigest()
    print("x" + key.hex(), "x" + message.hex(), code)
