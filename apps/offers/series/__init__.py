"""Weekly series: specials that repeat on the same weekday, each one published by itself in time."""
