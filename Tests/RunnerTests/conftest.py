"""In a hook of Git, such variables name its repository, in which tests would write."""

import os

for name in [name for name in os.environ if name.startswith("GIT_")]:
    del os.environ[name]
