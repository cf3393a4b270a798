"""What warming up leaves behind: nothing, but for the modules."""

import os

from operators_edge.resident import warmup
from operators_edge.system.user_dirs import user_dir


def test_warming_up_leaves_nothing_in_the_persons_folder(tmp_path):
    before = dict(os.environ)
    warmup.warm_up(str(tmp_path))
    assert os.listdir(tmp_path) == []
    assert not os.path.exists(os.path.join(user_dir(os.environ), "projects"))
    assert dict(os.environ) == before
