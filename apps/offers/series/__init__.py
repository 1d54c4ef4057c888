"""Weekly series: specials that repeat on the same weekday, each published automatically in time."""
