"""What scripts share that build a changed copy of the sources."""
import os


def write_if_new(path, data):
    """Keeps the time of what has not changed, so that it is not built again."""
    try:
        if open(path, "rb").read() == data:
            return
    except OSError:
        pass
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
